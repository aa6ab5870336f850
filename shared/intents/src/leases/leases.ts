import { randomInt, randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '@holdfast/kernel/errors';
import type { Database, Statement } from '@holdfast/postgres';
import { releaseLeaseSql, renewLeases, acquireLeaseSql } from './lease-sql.js';

export type LeaseHandle = {
  readonly name: string;
  readonly token: string;
  /** Whether another intent uses the resource although its lease was free; see `LeasesOptions`. */
  readonly isUsedByOthers: boolean;
  readonly release: () => void;
  /** Called after a statement of the caller has released the lease or closed its intent: lets the next waiter of this process continue. */
  readonly markReleased: () => void;
};

/**
 * Exclusive use of a named resource such as a source account: a queue within a process, a row between processes. The holder of
 * an expired lease does not notice, so a lease must only prevent conflicts that are harmless otherwise.
 */
export type Leases = {
  /**
   * Waits for the least busy one of the names. Throws LeaseTimedOut, which is SERVICE_UNAVAILABLE. The lease ends with the intent that it is
   * held for. Without one the handle does not say whether others use the resource.
   */
  readonly acquire: (
    names: readonly string[],
    signal: AbortSignal,
    waitMsMax?: number,
    intentId?: string,
  ) => Promise<LeaseHandle>;
  /** Resolves when the rows of released leases are written. */
  readonly stop: () => Promise<void>;
};

/** Others have held the lease all the time. */
export class LeaseTimedOut extends AppError {
  constructor() {
    super('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1 });
    this.name = 'LeaseTimedOut';
  }
}

export type LeasesOptions = {
  readonly database: Pick<Database, 'pool'>;
  readonly limits?: Partial<LeaseLimits>;
  /** SQL: whether another intent than `$4` uses the resource `leases.name`. It is read with the lease. Default: false. */
  readonly isUsedByOthers?: string;
};

export type LeaseLimits = {
  /** The lease of a dead process expires after this time. */
  readonly leaseMs: number;
  readonly renewEveryMs: number;
  readonly waitMsMax: number;
};

const leaseLimits: LeaseLimits = { leaseMs: 6_000, renewEveryMs: 2_000, waitMsMax: 10_000 };
/** Delay before a process tries again to acquire a lease that another process holds. */
const retryMs = 20;
/** How long a process leaves a lease that it has held to a waiting one; long enough for the other process to try again. */
const yieldMs = 3 * retryMs;

/** A name that is in use within this process, and its waiters in order. */
type LocalQueue = { readonly name: string; readonly waiting: (() => void)[] };

type Lease = { readonly name: string; readonly token: string };
type Acquired = Lease & Pick<LeaseHandle, 'isUsedByOthers'>;

type State = {
  /** The tokens of its leases begin with it. */
  readonly process: string;
  acquired: number;
  readonly pool: Database['pool'];
  readonly acquireLease: Statement;
  readonly limits: LeaseLimits;
  readonly localQueues: Map<string, LocalQueue>;
  readonly leases: Set<Lease>;
  readonly releasing: Set<Promise<void>>;
  timer: NodeJS.Timeout | undefined;
};

export function createLeases({ database, limits, isUsedByOthers = 'false' }: LeasesOptions): Leases {
  const state: State = {
    process: randomUUID(),
    acquired: 0,
    pool: database.pool,
    acquireLease: acquireLeaseSql(isUsedByOthers),
    limits: { ...leaseLimits, ...limits },
    localQueues: new Map(),
    leases: new Set(),
    releasing: new Set(),
    timer: undefined,
  };
  return {
    acquire: (names, signal, waitMsMax = state.limits.waitMsMax, intentId) =>
      acquire(state, names, { deadline: performance.now() + waitMsMax, signal, intentId }),
    stop: async () => {
      clearTimeout(state.timer);
      await Promise.all(state.releasing);
    },
  };
}

type Wait = { readonly deadline: number; readonly signal: AbortSignal; readonly intentId: string | undefined };

async function acquire(state: State, names: readonly string[], wait: Wait): Promise<LeaseHandle> {
  const { deadline, signal } = wait;
  const leasedElsewhere = new Set<string>();
  for (;;) {
    const queue = await enterQueue(state, leastBusy(state, names, leasedElsewhere), deadline);
    const lease = await tryAcquire(state, queue.name, wait).catch((error: unknown) => {
      leaveQueue(state, queue);
      throw error;
    });
    if (lease !== undefined) return toHandle(state, queue, lease);
    leaveQueue(state, queue);
    if (performance.now() > deadline) throw new LeaseTimedOut();
    leasedElsewhere.add(queue.name);
    if (leasedElsewhere.size < names.length) continue;
    leasedElsewhere.clear();
    await pause(randomInt(retryMs, 2 * retryMs), undefined, { signal });
  }
}

/** Names leased by other processes come last. Ties are broken at random, so that processes do not all start with the same name. */
function leastBusy({ localQueues }: State, names: readonly string[], leasedElsewhere: ReadonlySet<string>): string {
  const usersOf = (name: string): number => {
    if (leasedElsewhere.has(name)) return Number.POSITIVE_INFINITY;
    const queue = localQueues.get(name);
    return queue === undefined ? 0 : queue.waiting.length + 1;
  };
  const start = names.length > 1 ? randomInt(names.length) : 0;
  const [first, ...others] = [...names.slice(start), ...names.slice(0, start)];
  if (first === undefined) throw new Error('There is nothing to lease.');
  return others.reduce((best, name) => (usersOf(name) < usersOf(best) ? name : best), first);
}

/** Resolves when the caller has the name to itself within this process. The caller must call `leaveQueue` afterwards. */
async function enterQueue({ localQueues }: State, name: string, deadline: number): Promise<LocalQueue> {
  const taken = localQueues.get(name);
  if (taken !== undefined) {
    await waitInQueue(taken, deadline);
    return taken;
  }
  const queue = { name, waiting: [] };
  localQueues.set(name, queue);
  return queue;
}

function waitInQueue({ waiting }: LocalQueue, deadline: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const proceed = (): void => {
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(
      () => {
        waiting.splice(waiting.indexOf(proceed), 1);
        reject(new LeaseTimedOut());
      },
      Math.max(0, deadline - performance.now()),
    ).unref();
    waiting.push(proceed);
  });
}

/** Undefined where another process holds the lease. Between processes a waiting one goes before the one that held the lease last. */
async function tryAcquire(
  state: State,
  name: string,
  { signal, intentId }: Pick<Wait, 'signal' | 'intentId'>,
  isYielding = true,
): Promise<Acquired | undefined> {
  signal.throwIfAborted();
  const { pool, acquireLease, limits, process } = state;
  const token = `${process} ${(state.acquired += 1)}`;
  const values = [name, token, limits.leaseMs / 1_000, intentId ?? null, isYielding ? process : null];
  const { rows } = await pool.query<Omit<Acquired, 'name'>>(acquireLease, values);
  const [found] = rows;
  if (found?.token === token) return { name, ...found };
  if (!isYielding || found?.token.startsWith(process) !== true) return undefined;
  await pause(yieldMs, undefined, { signal });
  return tryAcquire(state, name, { signal, intentId }, false);
}

function toHandle(state: State, queue: LocalQueue, { isUsedByOthers, ...lease }: Acquired): LeaseHandle {
  let isReleased = false;
  state.leases.add(lease);
  scheduleRenewal(state);
  const releaseOnce = (release: () => Promise<void>): void => {
    if (isReleased) return;
    isReleased = true;
    state.leases.delete(lease);
    const done = release().finally(() => {
      leaveQueue(state, queue);
      state.releasing.delete(done);
    });
    state.releasing.add(done);
  };
  return {
    ...lease,
    isUsedByOthers,
    release: () => releaseOnce(() => releaseRow(state, lease)),
    markReleased: () => releaseOnce(() => Promise.resolve()),
  };
}

/** A lease whose row cannot be released expires. */
async function releaseRow({ pool }: State, { name, token }: Lease): Promise<void> {
  await pool.query(releaseLeaseSql, [name, token]).catch(() => undefined);
}

function leaveQueue({ localQueues }: State, queue: LocalQueue): void {
  const next = queue.waiting.shift();
  if (next === undefined) localQueues.delete(queue.name);
  else next();
}

function scheduleRenewal(state: State): void {
  state.timer ??= setTimeout(() => {
    state.timer = undefined;
    if (state.leases.size === 0) return;
    scheduleRenewal(state);
    // Leases that cannot be renewed, because the database is unreachable, expire.
    state.pool.query(renewLeases, [JSON.stringify([...state.leases]), state.limits.leaseMs / 1_000]).catch(() => undefined);
  }, state.limits.renewEveryMs).unref();
}
