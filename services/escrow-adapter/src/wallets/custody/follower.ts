import { performance } from 'node:perf_hooks';
import type { LeaseHandle, Leases } from '@holdfast/intents/leases';
import type { Poller } from './poller.js';

/** Reads the history in one process at a time; see `createFollower`. */
export type Follower = {
  /** Polls if this process is the follower, or becomes it. */
  readonly run: () => Promise<void>;
  /** Another process may follow at once. */
  readonly stop: () => Promise<void>;
};

type Tenure = { readonly handle: LeaseHandle; readonly endsAtMs: number };

export type FollowerDeps = {
  readonly poller: Pick<Poller, 'pollNow'>;
  readonly leases: Leases;
  readonly signal: AbortSignal;
  readonly tenureMs?: number;
};

const followerLease = 'ledger-follower';
/** A process that has lost its lease without noticing follows no longer than this beside its successor. */
const tenureMsDefault = 30_000;

/**
 * The lease only saves calls: it lets the other processes rest. That nothing is published twice is guaranteed by the cursor, which
 * moves in the commit that publishes. A process that cannot read the history gives the lease to another one.
 */
export function createFollower({ poller, leases, signal, tenureMs = tenureMsDefault }: FollowerDeps): Follower {
  let tenure: Tenure | undefined;
  const end = (): void => {
    tenure?.handle.release();
    tenure = undefined;
  };
  const begin = async (): Promise<Tenure | undefined> => {
    const handle = await leases.acquire([followerLease], signal, 0).catch(() => undefined);
    return handle === undefined ? undefined : { handle, endsAtMs: performance.now() + tenureMs };
  };
  return {
    run: async () => {
      if (tenure !== undefined && performance.now() > tenure.endsAtMs) end();
      tenure ??= await begin();
      if (tenure === undefined) return;
      await poller.pollNow().catch((error: unknown) => {
        end();
        throw error;
      });
    },
    stop: () => {
      end();
      return Promise.resolve();
    },
  };
}
