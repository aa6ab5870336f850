import { setTimeout as pause } from 'node:timers/promises';
import type { Clock, Log } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import type { LedgerAccount, LedgerNetwork } from '../ports.js';
import type { TreasuryStore } from '../store/treasury-store.js';
import type { Wallet } from '../store/wallet-store.js';
import type { TreasuryOperation } from './treasury-operations.js';
import { otherSignersMax, type TreasurySubmitter } from './treasury-submitter.js';

export type Activation = {
  /** Resolves when the network has the account with its trustline. Throws SERVICE_UNAVAILABLE on timeout. */
  readonly whenActive: (address: string) => Promise<void>;
  /** Starts activating inactive wallets in the background, unless a run is in progress. */
  readonly trigger: () => void;
  readonly run: (signal: AbortSignal) => Promise<void>;
};

export type ActivationDeps = {
  readonly store: TreasuryStore;
  readonly submitter: TreasurySubmitter;
  readonly network: Pick<LedgerNetwork, 'account'>;
  readonly background: (name: string, work: Promise<unknown>) => void;
  readonly clock: Clock;
  readonly log: Log;
};

/** Covers the reserve of the account and its trustline, and fees for a few thousand contract calls. */
export const starterUnits = 50_000_000n;
const whenActiveTimeoutMs = 10_000;
const pollStoreEveryMs = 200;
const batchesPerRunMax = 1_000;

export function createActivation(deps: ActivationDeps): Activation {
  const waiters = new Map<string, (() => void)[]>();
  let running: Promise<void> | undefined;
  const wake = (addresses: readonly string[]): void => {
    for (const address of addresses) {
      for (const resolve of waiters.get(address) ?? []) resolve();
      waiters.delete(address);
    }
  };
  const run = (signal?: AbortSignal): Promise<void> => {
    running ??= activateAll(deps, wake, signal).finally(() => {
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
  return {
    trigger,
    run,
    whenActive: (address) => {
      const woken = new Promise<void>((resolve) => {
        waiters.set(address, [...(waiters.get(address) ?? []), resolve]);
      });
      trigger();
      return untilActive(deps, address, { woken, trigger });
    },
  };
}

type Waiting = { readonly woken: Promise<void>; readonly trigger: () => void };

/** Another process may activate the wallet, so the row is polled as well. */
async function untilActive({ store, clock }: ActivationDeps, address: string, { woken, trigger }: Waiting): Promise<void> {
  const deadline = clock.epochMs() + whenActiveTimeoutMs;
  const isWoken = woken.then(() => true);
  while (clock.epochMs() < deadline) {
    if (await Promise.race([isWoken, pause(pollStoreEveryMs, false, { ref: false })])) return;
    if ((await store.active([address])).length > 0) return;
    trigger();
  }
  throw new AppError('SERVICE_UNAVAILABLE', { reason: 'The wallet is not active on the ledger network yet.' });
}

/** Activates batches of wallets. Accounts are assumed to be new until a batch fails; then the network is checked first. */
async function activateAll(
  deps: ActivationDeps,
  wake: (addresses: readonly string[]) => void,
  signal?: AbortSignal,
): Promise<void> {
  let checksAccounts = false;
  for (let batch = 0; batch < batchesPerRunMax && signal?.aborted !== true; batch += 1) {
    const wallets = await deps.store.waiting(otherSignersMax);
    if (wallets.length === 0) return;
    const result = await activateBatch(deps, wallets, checksAccounts);
    if (result === 'landed') wake(await deps.store.active(wallets.map(({ address }) => address)));
    else if (result === 'open' || checksAccounts) return;
    checksAccounts = result !== 'landed';
  }
}

type Planned = { readonly wallet: Wallet; readonly operations: readonly TreasuryOperation[] };

async function activateBatch(
  { store, submitter, network, clock }: ActivationDeps,
  wallets: readonly Wallet[],
  checksAccounts: boolean,
) {
  const accounts = await Promise.all(wallets.map(async ({ address }) => (checksAccounts ? network.account(address) : undefined)));
  const planned = wallets.map((wallet, index): Planned => ({
    wallet,
    operations: activationOperations(wallet.address, accounts[index]),
  }));
  const complete = planned.filter(({ operations }) => operations.length === 0);
  if (complete.length > 0)
    await store.activate(
      complete.map(({ wallet }) => wallet.address),
      clock.now(),
    );
  const incomplete = planned.filter(({ operations }) => operations.length > 0);
  if (incomplete.length === 0) return 'landed';
  const signers = incomplete.map(({ wallet }) => ({ user: wallet.userId, marketplaceId: wallet.marketplaceId }));
  return submitter.execute(
    'activate',
    incomplete.flatMap(({ operations }) => operations),
    signers,
  );
}

/** A third party may have created the account by paying to its address; then only what is missing is added. */
export function activationOperations(address: string, account: LedgerAccount | undefined): readonly TreasuryOperation[] {
  const trust: TreasuryOperation = { does: 'trust', by: address };
  if (account === undefined) return [{ does: 'create', address, units: starterUnits }, trust];
  if (account.balances.USDC !== undefined) return [];
  return [{ does: 'pay', to: address, asset: 'XLM', units: starterUnits }, trust];
}
