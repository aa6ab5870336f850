import { backoffMs, pause } from '@holdfast/kernel/async';
import { AppError } from '@holdfast/kernel/errors';
import type { LedgerHistory } from '@holdfast/ledger-network/horizon';
import type { Poller } from './poller.js';

/** Waits until every transaction up to this ledger was read from the history and stored. */
export type FollowTo = (ledger: number, signal: AbortSignal) => Promise<void>;

export type FollowedLedgerDeps = {
  readonly history: Pick<LedgerHistory, 'latestLedger'>;
  readonly poller: Pick<Poller, 'pollNow'>;
  /** How often a poll of this process has reached the end of the history. */
  readonly ends: () => number;
};

const attemptsMax = 20;
const pauses = { firstDelayMs: 100, delayMsMax: 1_000 } as const;

/** The history may lag behind the ledger that another node has shown. Throws SERVICE_UNAVAILABLE if it does for too long. */
export function createFollowTo({ history, poller, ends }: FollowedLedgerDeps): FollowTo {
  let followed = 0;
  const follow = async (): Promise<void> => {
    // The ledger is read first: a poll that then reaches the end has all of its operations.
    const latest = await history.latestLedger();
    const endsBefore = ends();
    await poller.pollNow();
    if (ends() > endsBefore) followed = Math.max(followed, latest);
  };
  return async (ledger, signal) => {
    for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
      if (followed >= ledger) return;
      await follow();
      if (followed < ledger) await pause(backoffMs(attempt, pauses), signal);
    }
    if (followed < ledger) throw new AppError('SERVICE_UNAVAILABLE', { dependency: 'ledgerNetwork' });
  };
}
