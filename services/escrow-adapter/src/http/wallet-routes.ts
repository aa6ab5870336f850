import type { Context } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import { custodyAssets, formatUnits } from '@holdfast/kernel/money';
import { bindRoutes, requireAccount, type BoundRoute } from '@holdfast/http/server';
import type { SandboxControl } from '@holdfast/http/sandbox-control';
import type { UserId } from '@holdfast/kernel/ids';
import { mapPage, pageOf } from '@holdfast/kernel/pages';
import type { EmergencyStop } from '@holdfast/intents/provider-controls';
import type { LedgerRpc } from '@holdfast/ledger-network/rpc';
import { connectWallet, type ConnectWalletDeps } from '../use-cases/wallets/connect-wallet.js';
import { expectTransfer, type ExpectTransferDeps } from '../use-cases/treasury/expect-transfer.js';
import type { CreditedCurrency } from '../domain/credited-currency.js';
import type { Prove } from '../use-cases/custody/prover.js';
import { isAccountAddress, isContractAddress, type LedgerHistory, type LedgerNetwork } from '@holdfast/ledger-network/horizon';
import type { WalletOwner, Wallet, WalletDirectory } from '../use-cases/wallets/ports.js';
import { adapterRoutes } from './operator-routes.js';
import { sandboxRoutes } from './sandbox-routes.js';
import { viewOfDeposit, viewOfLink, viewOfOperation, viewOfWallet } from './wallet-view.js';
import type { UncreditedStore } from '../use-cases/custody/ports.js';

const {
  getWallet,
  getDepositAddress,
  listWalletTransactions,
  getWalletHoldings,
  syncDeposits,
  getDepositTotals,
  expectTransfer: expectTransferRoute,
  connectWallet: connectWalletRoute,
  ...others
} = adapterRoutes;

/** Bound in `routes.ts`. */
export const contractRoutes = others;

export type WalletRoutesDeps = ConnectWalletDeps & {
  readonly directory: Pick<WalletDirectory, 'walletOf' | 'activeAddressOf'>;
  readonly emergencyStop: Pick<EmergencyStop, 'isStopped' | 'requireNotStopped'>;
  readonly network: Pick<LedgerNetwork, 'account'>;
  readonly history: Pick<LedgerHistory, 'newestOf'>;
  /** Reads the network's history up to its end. */
  readonly poll: () => Promise<unknown>;
  readonly prove: Prove;
  readonly uncredited: Pick<UncreditedStore, 'uncreditedOf' | 'totals'>;
  readonly treasury: ExpectTransferDeps;
  readonly rpc: Pick<LedgerRpc, 'accountBalances'>;
  /** How long a request for the deposit address waits until the account can receive. */
  readonly activationWaitMsMax: number;
  readonly networkName: string;
  readonly usdcIssuer: string;
  readonly credited: CreditedCurrency;
  /** Undefined with real systems, and in production. */
  readonly sandbox: SandboxControl | undefined;
};

/** Declared route → handler. Every user has a wallet; a missing one is created. */
export function walletRoutes(deps: WalletRoutesDeps): readonly BoundRoute[] {
  const { sandbox } = deps;
  const addressOf = (userId: UserId, ctx: Context): Promise<string> => receivingAddressOf(deps, userId, ctx);
  return [...routesOfWallets(deps), ...sandboxRoutes({ sandbox, addressOf })];
}

function routesOfWallets(deps: WalletRoutesDeps): readonly BoundRoute[] {
  const declared = { getWallet, getDepositAddress, listWalletTransactions, getWalletHoldings, syncDeposits, getDepositTotals };
  return bindRoutes(
    { ...declared, expectTransfer: expectTransferRoute, connectWallet: connectWalletRoute },
    {
      getWallet: async ({ params }, ctx) => {
        const wallet = await walletOf(deps, params.userId, ctx);
        return viewOfWallet(wallet, await deps.network.account(wallet.address));
      },
      getDepositAddress: async ({ params }, ctx) => {
        const { networkName: network, usdcIssuer: issuer, credited } = deps;
        const address = await receivingAddressOf(deps, params.userId, ctx);
        return viewOfDeposit(address, { network, issuer, creditedCurrency: credited('USDC') });
      },
      listWalletTransactions: ({ params, query }, ctx) => listOperations(deps, { ...params, ...query }, ctx),
      getWalletHoldings: async ({ params }, ctx) => {
        const { address } = await walletOf(deps, params.userId, ctx);
        const account = (await deps.rpc.accountBalances([address])).get(address);
        const holdings = custodyAssets.map((asset) => ({ asset, amount: formatUnits(account?.balances[asset] ?? 0n) }));
        return { userId: params.userId, address, holdings };
      },
      syncDeposits: async ({ params }, ctx) => {
        const wallet = await walletOf(deps, params.userId, ctx);
        await deps.poll();
        await deps.prove(wallet.userId);
        const deposits = await deps.uncredited.uncreditedOf(wallet.userId);
        return { userId: params.userId, address: wallet.address, deposits: [...deposits] };
      },
      getDepositTotals: async () => ({
        totals: (await deps.uncredited.totals()).map(({ currency, units, unacknowledgedUnits, waitingUnits }) => ({
          currency,
          amount: formatUnits(units),
          inFlight: formatUnits(unacknowledgedUnits),
          waiting: formatUnits(waitingUnits),
        })),
      }),
      expectTransfer: ({ body }, ctx) => {
        if (!isAccountAddress(body.to) && !isContractAddress(body.to)) throw new AppError('INVALID_PUBLIC_KEY');
        return expectTransfer(deps.treasury, body, ctx);
      },
      connectWallet: async ({ body }, ctx) => {
        const userId = requireAccount(ctx);
        // The details do not name the key: it may be a secret one, sent by mistake.
        if (!isAccountAddress(body.publicKey)) throw new AppError('INVALID_PUBLIC_KEY');
        return viewOfLink(await connectWallet(deps, { ...body, userId }, ctx));
      },
    },
  );
}

/** A payment to an account that the network does not have yet would be refused, so that it is made first. */
async function receivingAddressOf(deps: WalletRoutesDeps, userId: UserId, ctx: Context): Promise<string> {
  const owner = await ownerOf(deps, userId, ctx);
  await requireNoActivationWhileStopped(deps, owner);
  return deps.directory.activeAddressOf(owner, deps.activationWaitMsMax);
}

async function walletOf(deps: WalletRoutesDeps, userId: UserId, ctx: Context): Promise<Wallet> {
  return deps.directory.walletOf(await ownerOf(deps, userId, ctx));
}

/** An account that the network does not have yet is made by a transaction, which needs signatures. */
async function requireNoActivationWhileStopped(
  { emergencyStop, directory }: WalletRoutesDeps,
  owner: WalletOwner,
): Promise<void> {
  if (!(await emergencyStop.isStopped())) return;
  const { activatedAt } = await directory.walletOf(owner);
  if (activatedAt === null) await emergencyStop.requireNotStopped();
}

async function ownerOf({ users }: WalletRoutesDeps, userId: UserId, ctx: Context): Promise<WalletOwner> {
  const { marketplaceId } = ctx.caller;
  await users.require({ marketplaceId, userId, requestId: ctx.requestId });
  return { userId, marketplaceId };
}

type Listing = { readonly userId: UserId; readonly limit: number; readonly cursor?: string | undefined };

const operationId = /^\d{1,19}$/;

async function listOperations(deps: WalletRoutesDeps, { userId, limit, cursor }: Listing, ctx: Context) {
  const { address } = await walletOf(deps, userId, ctx);
  const isItem = cursor === undefined || operationId.test(cursor);
  const listed = isItem ? deps.history.newestOf(address, { cursor, limit: limit + 1 }) : Promise.resolve(undefined);
  return mapPage(await pageOf(limit, listed), (operation) => viewOfOperation(operation, address));
}
