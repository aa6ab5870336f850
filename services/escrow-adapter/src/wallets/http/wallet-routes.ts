import type { Context } from '@holdfast/kernel/context';
import { custodyAssets } from '@holdfast/contracts/messages';
import { bindRoutes, requireAccount, type BoundRoute } from '@holdfast/http/server';
import type { UserId } from '@holdfast/kernel/ids';
import { formatUnits } from '@holdfast/kernel/money';
import { mapPage, pageOf } from '@holdfast/kernel/pages';
import type { EmergencyStop } from '@holdfast/intents/provider-controls';
import type { LedgerRpc } from '../../use-cases/network-ports.js';
import { declaredWalletRoutes } from '../../declared-routes.js';
import { connectWallet, type ConnectWalletDeps } from '../connect-wallet.js';
import { expectTransfer, type ExpectTransferDeps } from '../expect-transfer.js';
import type { CreditedCurrency } from '../custody/credited-currency.js';
import type { Prove } from '../custody/prover.js';
import type { LedgerHistory } from '../network/ledger-history.js';
import type { LedgerNetwork, WalletOwner } from '../ports.js';
import type { UncreditedStore } from '../store/uncredited-store.js';
import type { Wallet } from '../store/wallet-store.js';
import type { WalletDirectory } from '../wallet-directory.js';
import { viewOfDeposit, viewOfLink, viewOfOperation, viewOfWallet } from './wallet-view.js';

export type WalletRoutesDeps = ConnectWalletDeps & {
  readonly directory: Pick<WalletDirectory, 'walletOf' | 'activeAddressOf'>;
  readonly emergencyStop: Pick<EmergencyStop, 'isStopped' | 'requireNotStopped'>;
  readonly network: Pick<LedgerNetwork, 'account'>;
  readonly history: Pick<LedgerHistory, 'newestOf'>;
  /** Reads the network's history up to its end. */
  readonly poll: () => Promise<unknown>;
  readonly prove: Prove;
  readonly uncreditedOf: UncreditedStore['uncreditedOf'];
  readonly depositTotals: UncreditedStore['totals'];
  readonly treasury: ExpectTransferDeps;
  readonly rpc: Pick<LedgerRpc, 'accountBalances'>;
  /** How long a request for the deposit address waits until the account can receive. */
  readonly activationWaitMsMax: number;
  readonly networkName: string;
  readonly usdcIssuer: string;
  readonly creditedCurrency: CreditedCurrency;
};

/** Declared route → handler. Every user has a wallet; a missing one is created. */
export function walletRoutes(deps: WalletRoutesDeps): readonly BoundRoute[] {
  return bindRoutes(declaredWalletRoutes, {
    getWallet: async ({ params }, ctx) => {
      const wallet = await walletOf(deps, params.userId, ctx);
      return viewOfWallet(wallet, await deps.network.account(wallet.address));
    },
    getDepositAddress: async ({ params }, ctx) => {
      const { directory, networkName: network, usdcIssuer: issuer, creditedCurrency } = deps;
      // A payment to an account that the network does not have yet would be refused.
      const owner = await ownerOf(deps, params.userId, ctx);
      await requireNoActivationWhileStopped(deps, owner);
      const address = await directory.activeAddressOf(owner, deps.activationWaitMsMax);
      return viewOfDeposit(address, { network, issuer, creditedCurrency: creditedCurrency('USDC') });
    },
    listWalletTransactions: ({ params, query }, ctx) => listOperations(deps, { ...params, ...query }, ctx),
    getWalletHoldings: async ({ params }, ctx) => {
      const { address } = await walletOf(deps, params.userId, ctx);
      const account = (await deps.rpc.accountBalances([address], deps.usdcIssuer)).get(address);
      const holdings = custodyAssets.map((asset) => ({ asset, amount: formatUnits(account?.balances[asset] ?? 0n) }));
      return { userId: params.userId, address, holdings };
    },
    syncDeposits: async ({ params }, ctx) => {
      const wallet = await walletOf(deps, params.userId, ctx);
      await deps.poll();
      await deps.prove(wallet.userId);
      const deposits = await deps.uncreditedOf(wallet.userId);
      return { userId: params.userId, address: wallet.address, deposits: [...deposits] };
    },
    getDepositTotals: async () => ({
      totals: (await deps.depositTotals()).map(({ currency, units, unacknowledgedUnits, waitingUnits }) => ({
        currency,
        amount: formatUnits(units),
        inFlight: formatUnits(unacknowledgedUnits),
        waiting: formatUnits(waitingUnits),
      })),
    }),
    expectTransfer: ({ body }, ctx) => expectTransfer(deps.treasury, body, ctx),
    connectWallet: async ({ body }, ctx) => viewOfLink(await connectWallet(deps, { ...body, userId: requireAccount(ctx) }, ctx)),
  });
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
