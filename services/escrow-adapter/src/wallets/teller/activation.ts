import { setTimeout as pause } from 'node:timers/promises';
import type { Clock, Log } from '@holdfast/shared/context';
import { AppError } from '@holdfast/shared/errors';
import type { LedgerAccount, LedgerNetwork } from '../ports.js';
import type { TellerStore } from '../store/teller-store.js';
import type { Wallet } from '../store/wallet-store.js';
import type { Move } from './moves.js';
import { otherSignersMax, type TreasuryLane } from './treasury-lane.js';

export type Activation = {
  /** Resolves once the network has the account with its line of trust. SERVICE_UNAVAILABLE when that takes too long. */
  readonly whenActive: (address: string) => Promise<void>;
  /** Activates whatever waits; at once, and together with whatever comes meanwhile. */
  readonly nudge: () => void;
  readonly run: (signal: AbortSignal) => Promise<void>;
};

export type ActivationDeps = {
  readonly store: TellerStore;
  readonly lane: TreasuryLane;
  readonly network: Pick<LedgerNetwork, 'account'>;
  readonly background: (name: string, work: Promise<unknown>) => void;
  readonly clock: Clock;
  readonly log: Log;
};

/** Two entries of its own, a line of trust, and fees for a few thousand contract calls. */
export const starterUnits = 50_000_000n;
const whenActiveTimeoutMs = 10_000;
const askStoreEveryMs = 200;
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
  const nudge = (): void => {
    if (running === undefined)
      deps.background(
        'wallet activation',
        run().catch((error: unknown) => deps.log.warn({ error }, 'wallets wait for their activation')),
      );
  };
  return {
    nudge,
    run,
    whenActive: (address) => {
      const woken = new Promise<void>((resolve) => {
        waiters.set(address, [...(waiters.get(address) ?? []), resolve]);
      });
      nudge();
      return untilActive(deps, address, { woken, nudge });
    },
  };
}

type Waiting = { readonly woken: Promise<void>; readonly nudge: () => void };

/** Another process may be the one that activates it, so the row is looked at as well. */
async function untilActive({ store, clock }: ActivationDeps, address: string, { woken, nudge }: Waiting): Promise<void> {
  const deadline = clock.epochMs() + whenActiveTimeoutMs;
  const isWoken = woken.then(() => true);
  while (clock.epochMs() < deadline) {
    if (await Promise.race([isWoken, pause(askStoreEveryMs, false, { ref: false })])) return;
    if ((await store.active([address])).length > 0) return;
    nudge();
  }
  throw new AppError('SERVICE_UNAVAILABLE', { reason: 'The wallet is not active on the ledger network yet.' });
}

/** Batch by batch. Accounts are taken to be new until a batch fails; then each of the next one is looked at first. */
async function activateAll(
  deps: ActivationDeps,
  wake: (addresses: readonly string[]) => void,
  signal?: AbortSignal,
): Promise<void> {
  let isCareful = false;
  for (let batch = 0; batch < batchesPerRunMax && signal?.aborted !== true; batch += 1) {
    const wallets = await deps.store.waiting(otherSignersMax);
    if (wallets.length === 0) return;
    const outcome = await activateBatch(deps, wallets, isCareful);
    if (outcome === 'landed') wake(await deps.store.active(wallets.map(({ address }) => address)));
    else if (outcome === 'open' || isCareful) return;
    isCareful = outcome !== 'landed';
  }
}

type Planned = { readonly wallet: Wallet; readonly moves: readonly Move[] };

async function activateBatch({ store, lane, network, clock }: ActivationDeps, wallets: readonly Wallet[], isCareful: boolean) {
  const accounts = await Promise.all(wallets.map(async ({ address }) => (isCareful ? network.account(address) : undefined)));
  const planned = wallets.map((wallet, index): Planned => ({ wallet, moves: movesFor(wallet.address, accounts[index]) }));
  const complete = planned.filter(({ moves }) => moves.length === 0);
  if (complete.length > 0)
    await store.activate(
      complete.map(({ wallet }) => wallet.address),
      clock.now(),
    );
  const lacking = planned.filter(({ moves }) => moves.length > 0);
  if (lacking.length === 0) return 'landed';
  const signers = lacking.map(({ wallet }) => ({ user: wallet.userId, marketplaceId: wallet.marketplaceId }));
  return lane.carryOut(
    'activate',
    lacking.flatMap(({ moves }) => moves),
    signers,
  );
}

/** Somebody may have paid into the address before we made the account: what they paid is the user's, and the rest is added. */
export function movesFor(address: string, account: LedgerAccount | undefined): readonly Move[] {
  const trust: Move = { does: 'trust', by: address };
  if (account === undefined) return [{ does: 'create', address, units: starterUnits }, trust];
  if (account.balances.USDC !== undefined) return [];
  return [{ does: 'pay', to: address, asset: 'XLM', units: starterUnits }, trust];
}
