import type { LeaseHandle, Leases } from '@holdfast/intents/leases';
import { backoffMs, pause } from '@holdfast/kernel/async';
import type { Clock } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import { pollNetwork, type WatcherDeps } from './watcher.js';

export type FollowDeps = WatcherDeps & {
  readonly leases: Leases;
  readonly signal: AbortSignal;
  readonly clock: Pick<Clock, 'epochMs'>;
};

export type Following = {
  /** Polls if this process is the follower, or becomes it. */
  readonly run: () => Promise<void>;
  /** Waits for a poll that starts after this call; concurrent callers share it. */
  readonly pollNow: () => Promise<unknown>;
  /** Waits until every transaction up to this ledger was read from the history and stored. */
  readonly followTo: (ledger: number, signal: AbortSignal) => Promise<void>;
  /** Waits for the running poll; then another process may follow at once. */
  readonly stop: () => Promise<void>;
};

/** Follows the network's history: one poll at a time in a process, and one process at a time. */
export function followNetwork(deps: FollowDeps): Following {
  let ends = 0;
  const onEnd = (): void => {
    ends += 1;
    deps.metrics.onEnd();
  };
  const poll = pollNetwork({ ...deps, metrics: { ...deps.metrics, onEnd } });
  const { pollNow, whenIdle } = oneAtATime(() => poll(deps.signal));
  const { run, end } = inOneProcess(deps, pollNow);
  return {
    run,
    pollNow,
    followTo: createFollowTo(deps, { pollNow, ends: () => ends }),
    stop: async () => {
      await whenIdle();
      end();
    },
  };
}

type Poll = () => Promise<unknown>;

function oneAtATime(poll: Poll): { readonly pollNow: Poll; readonly whenIdle: () => Promise<void> } {
  let running: Promise<unknown> | undefined;
  let next: Promise<unknown> | undefined;
  const start: Poll = () => {
    next = undefined;
    running = poll().finally(() => {
      running = undefined;
    });
    return running;
  };
  return {
    pollNow: () => {
      if (running === undefined) return start();
      next ??= running.then(start, start);
      return next;
    },
    whenIdle: async () => {
      await running?.catch(() => undefined);
    },
  };
}

const followerLease = 'ledger-follower';
/** A process that has lost its lease without noticing follows no longer than this beside its successor. */
const tenureMs = 30_000;

type Tenure = { readonly handle: LeaseHandle; readonly endsAtMs: number };

/**
 * The lease only saves calls: it lets the other processes rest. That nothing is published twice is guaranteed by the cursor, which
 * moves in the commit that publishes. A process that cannot read the history gives the lease to another one.
 */
function inOneProcess(
  { leases, signal, clock }: FollowDeps,
  pollNow: Poll,
): Pick<Following, 'run'> & { readonly end: () => void } {
  let tenure: Tenure | undefined;
  const end = (): void => {
    tenure?.handle.release();
    tenure = undefined;
  };
  const begin = async (): Promise<Tenure | undefined> => {
    const handle = await leases.acquire([followerLease], signal, 0).catch(() => undefined);
    return handle === undefined ? undefined : { handle, endsAtMs: clock.epochMs() + tenureMs };
  };
  const run = async (): Promise<void> => {
    if (tenure !== undefined && clock.epochMs() > tenure.endsAtMs) end();
    tenure ??= await begin();
    if (tenure === undefined) return;
    await pollNow().catch((error: unknown) => {
      end();
      throw error;
    });
  };
  return { run, end };
}

const attemptsMax = 20;
const pauses = { firstDelayMs: 100, delayMsMax: 1_000 } as const;

type Polls = {
  readonly pollNow: Poll;
  /** How often a poll of this process has reached the end of the history. */
  readonly ends: () => number;
};

/** The history may lag behind the ledger that another node has shown. Throws SERVICE_UNAVAILABLE if it does for too long. */
function createFollowTo({ history }: FollowDeps, { pollNow, ends }: Polls): Following['followTo'] {
  let followed = 0;
  const follow = async (): Promise<void> => {
    // The ledger is read first: a poll that then reaches the end has all of its operations.
    const latest = await history.latestLedger();
    const endsBefore = ends();
    await pollNow();
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
