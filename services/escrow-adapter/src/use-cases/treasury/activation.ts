import type { Clock, Log } from '@holdfast/kernel/context';
import type { TreasuryOperation } from '@holdfast/ledger-network/values';
import type { ReadOutcomes, Waiters } from '@holdfast/work';
import { WalletNotActive, type Wallet } from '../wallets/ports.js';
import { otherSignersMax, type TreasuryResult, type TreasuryStore, type TreasurySubmitter } from './ports.js';
import type { LedgerAccount, LedgerNetwork } from '@holdfast/ledger-network/horizon';

export type Activation = {
  /**
   * Requests the activation of the wallet, and resolves when the network has the account with its trustline. Throws WalletNotActive at
   * the time limit, and where the marketplace has reached its limit of activations.
   */
  readonly whenActive: (wallet: Wallet, waitMsMax: number) => Promise<void>;
  /** Activates requested wallets, also those that a process left which died. */
  readonly run: (signal: AbortSignal) => Promise<void>;
};

export type ActivationDeps = {
  readonly store: TreasuryStore;
  readonly submitter: Pick<TreasurySubmitter, 'execute'>;
  /** Whether the treasury has the reserves of this many wallets. */
  readonly canSponsor: (wallets: number) => Promise<boolean>;
  readonly network: Pick<LedgerNetwork, 'account'>;
  /** Activations that a marketplace may request within an hour; undefined means no limit. */
  readonly perHourMax: number | undefined;
  readonly createWaiters: (readOutcomes: ReadOutcomes<string, 'active'>) => Waiters<string, 'active'>;
  readonly background: (name: string, work: Promise<unknown>) => void;
  readonly clock: Clock;
  readonly log: Log;
};

const batchesPerRunMax = 1_000;
const notYetRetrySeconds = 5;
const limitRetrySeconds = 60;

export function createActivation(deps: ActivationDeps): Activation {
  let running: Promise<void> | undefined;
  const run = (signal?: AbortSignal): Promise<void> => {
    running ??= activateAll(deps, resolveActive, signal).finally(() => {
      running = undefined;
    });
    return running;
  };
  const trigger = (): void => {
    if (running === undefined)
      deps.background(
        'wallet activation',
        run().catch((error: unknown) => deps.log.warn({ error }, 'wallet activation failed; it is retried')),
      );
  };
  // Another process may activate the wallets. If none has, this one tries again.
  const waiters = deps.createWaiters(async (addresses) => {
    const active = await deps.store.active(addresses);
    if (active.length < addresses.length) trigger();
    return new Map(active.map((address) => [address, 'active']));
  });
  const resolveActive = async (addresses: readonly string[]): Promise<void> => {
    for (const address of await deps.store.active(addresses)) waiters.resolve(address, 'active');
  };
  return {
    run,
    whenActive: async (wallet, waitMsMax) => {
      await request(deps, wallet);
      const active = waiters.wait(wallet.address, { timeoutMs: waitMsMax });
      trigger();
      if ((await active) === undefined)
        throw new WalletNotActive('The wallet is not active on the ledger network yet.', notYetRetrySeconds);
    },
  };
}

async function request({ store, perHourMax, log }: ActivationDeps, wallet: Wallet): Promise<void> {
  const { activationRequestedAt, userId, marketplaceId } = wallet;
  if (activationRequestedAt !== null || (await store.requestActivation(wallet, perHourMax))) return;
  log.warn({ userId, marketplaceId, perHourMax }, 'limit of wallet activations reached');
  throw new WalletNotActive('The marketplace has reached its limit of new accounts on the ledger network.', limitRetrySeconds);
}

/** Activates batches of wallets. Accounts are assumed to be new until a batch fails; then the network is checked first. */
async function activateAll(
  deps: ActivationDeps,
  resolveActive: (addresses: readonly string[]) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  let checksAccounts = false;
  for (let batch = 0; batch < batchesPerRunMax && signal?.aborted !== true; batch += 1) {
    if ((await deps.store.waiting(1)).length === 0) return;
    const { result, addresses }: BatchResult = await activateBatch(deps, checksAccounts);
    await resolveActive(addresses);
    if (result === 'open' || result === 'short') return;
    const isWithoutEffect = result === 'failed' || result === 'expired';
    if (isWithoutEffect && checksAccounts) return;
    checksAccounts = isWithoutEffect;
  }
}

type BatchResult = { readonly result: TreasuryResult | 'short'; readonly addresses: readonly string[] };

/** The wallets are chosen when the turn of the transaction has come, so that no other process has just activated them. */
async function activateBatch(deps: ActivationDeps, checksAccounts: boolean): Promise<BatchResult> {
  const batch: { addresses: readonly string[]; isShort: boolean } = { addresses: [], isShort: false };
  const result = await deps.submitter.execute('activate', async () => {
    const planned = await planBatch(deps, checksAccounts);
    batch.addresses = planned.map(({ wallet }) => wallet.address);
    const incomplete = planned.filter(({ operations }) => operations.length > 0);
    if (incomplete.length === 0) return undefined;
    batch.isShort = !(await deps.canSponsor(incomplete.length));
    if (batch.isShort) return undefined;
    return {
      operations: incomplete.flatMap(({ operations }) => operations),
      signers: incomplete.map(({ wallet }) => ({ wallet: wallet.userId })),
    };
  });
  return { result: batch.isShort ? 'short' : result, addresses: batch.addresses };
}

type Planned = { readonly wallet: Wallet; readonly operations: readonly TreasuryOperation[] };

/** Wallets whose accounts are complete on the network are active without a transaction. */
async function planBatch({ store, network, clock }: ActivationDeps, checksAccounts: boolean): Promise<readonly Planned[]> {
  const wallets = await store.waiting(otherSignersMax);
  const accounts = await Promise.all(wallets.map(async ({ address }) => (checksAccounts ? network.account(address) : undefined)));
  const planned = wallets.map((wallet, index): Planned => ({
    wallet,
    operations: activationOperations(wallet.address, accounts[index]),
  }));
  const complete = planned.flatMap(({ wallet, operations }) => (operations.length === 0 ? [wallet.address] : []));
  if (complete.length > 0) await store.activate(complete, clock.now());
  return planned;
}

/**
 * The treasury holds the reserves, so that a wallet holds nothing but money of its user. A third party may have created the account
 * by paying to its address; then only the trustline is added. See ADR 0057.
 */
export function activationOperations(address: string, account: LedgerAccount | undefined): readonly TreasuryOperation[] {
  if (account?.balances.USDC !== undefined) return [];
  const create: readonly TreasuryOperation[] = account === undefined ? [{ does: 'create', address, units: 0n }] : [];
  return [{ does: 'sponsor', address }, ...create, { does: 'trust', by: address }, { does: 'end-sponsoring', by: address }];
}
