import { randomInt, randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '@holdfast/kernel/errors';
import type { Database } from '@holdfast/postgres';
import { releaseLeaseSql, renewLeases, acquireLeaseSql } from './lease-sql.js';

export type LeaseHandle = {
  readonly name: string;
  readonly token: string;
  readonly release: () => void;
  /** For whoever has given the lease back in a commit of its own: others of this process may use the name from now on. */
  readonly released: (isWanted: boolean) => void;
};

/**
 * Who uses something of which there is one, such as a source account: in order within a process, by a row between processes.
 * The holder of a lease that ran out does not notice, so a lease may guard only what is safe without it.
 */
export type Leases = {
  /** Waits for one of the names, the least busy one. SERVICE_UNAVAILABLE when it does not come free in time. */
  readonly acquire: (names: readonly string[], signal: AbortSignal, waitMsMax?: number) => Promise<LeaseHandle>;
  /** Resolves when what was released is given back. */
  readonly stop: () => Promise<void>;
};

export type LeasesOptions = {
  readonly database: Pick<Database, 'pool'>;
  readonly limits?: Partial<LeaseLimits>;
};

export type LeaseLimits = {
  /** So long the others wait for what a dead process has left. */
  readonly leaseMs: number;
  readonly renewEveryMs: number;
  readonly waitMsMax: number;
};

const leaseLimits: LeaseLimits = { leaseMs: 6_000, renewEveryMs: 2_000, waitMsMax: 10_000 };
/** How long a process waits before it asks again for what another one holds. */
const retryMs = 20;
/** How long a process that was asked for a lease leaves it alone: long enough for the other one to ask again. */
const yieldMs = 3 * retryMs;

/** A name that somebody in this process uses, and who waits for it in order. */
type LocalQueue = { readonly name: string; readonly waiting: (() => void)[] };

type Lease = { readonly name: string; readonly token: string };

type State = {
  readonly pool: Database['pool'];
  readonly limits: LeaseLimits;
  readonly localQueues: Map<string, LocalQueue>;
  readonly leases: Set<Lease>;
  readonly releasing: Set<Promise<void>>;
  timer: NodeJS.Timeout | undefined;
};

export function createLeases({ database, limits }: LeasesOptions): Leases {
  const state: State = {
    pool: database.pool,
    limits: { ...leaseLimits, ...limits },
    localQueues: new Map(),
    leases: new Set(),
    releasing: new Set(),
    timer: undefined,
  };
  return {
    acquire: (names, signal, waitMsMax = state.limits.waitMsMax) =>
      acquire(state, names, { deadline: performance.now() + waitMsMax, signal }),
    stop: async () => {
      clearTimeout(state.timer);
      await Promise.all(state.releasing);
    },
  };
}

type Wait = { readonly deadline: number; readonly signal: AbortSignal };

async function acquire(state: State, names: readonly string[], { deadline, signal }: Wait): Promise<LeaseHandle> {
  const leasedElsewhere = new Set<string>();
  for (;;) {
    const queue = await enterQueue(state, leastBusy(state, names, leasedElsewhere), deadline);
    const lease = await tryAcquire(state, queue.name, signal).catch((error: unknown) => {
      leaveQueue(state, queue);
      throw error;
    });
    if (lease !== undefined) return toHandle(state, queue, lease);
    leaveQueue(state, queue);
    if (performance.now() > deadline) throw timedOut();
    leasedElsewhere.add(queue.name);
    if (leasedElsewhere.size < names.length) continue;
    leasedElsewhere.clear();
    await pause(randomInt(retryMs, 2 * retryMs), undefined, { signal });
  }
}

/** Those that another process has come last. Of equally busy ones any, so that several processes do not all begin with the same. */
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

/** Whoever gets past this is alone with the name within this process, and must leave its place. */
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
    const go = (): void => {
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(
      () => {
        waiting.splice(waiting.indexOf(go), 1);
        reject(timedOut());
      },
      Math.max(0, deadline - performance.now()),
    ).unref();
    waiting.push(go);
  });
}

function timedOut(): AppError {
  return new AppError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1 });
}

/** Undefined where another process has it. */
async function tryAcquire({ pool, limits }: State, name: string, signal: AbortSignal): Promise<Lease | undefined> {
  signal.throwIfAborted();
  const token = randomUUID();
  const { rows } = await pool.query<{ readonly token: string }>(acquireLeaseSql, [name, token, limits.leaseMs / 1_000]);
  return rows[0]?.token === token ? { name, token } : undefined;
}

function toHandle(state: State, queue: LocalQueue, lease: Lease): LeaseHandle {
  let isReleased = false;
  state.leases.add(lease);
  scheduleRenewal(state);
  const once = (isWanted: () => Promise<boolean>): void => {
    if (isReleased) return;
    isReleased = true;
    state.leases.delete(lease);
    const done = giveWay(state, queue, isWanted).finally(() => state.releasing.delete(done));
    state.releasing.add(done);
  };
  return {
    ...lease,
    release: () => once(() => releaseLater(state, lease)),
    released: (isWanted) => once(() => Promise.resolve(isWanted)),
  };
}

/** A lease that cannot be given back ends by itself. */
async function giveWay(state: State, place: LocalQueue, isGivenBackWanted: () => Promise<boolean>): Promise<void> {
  const isWanted = await isGivenBackWanted().catch(() => false);
  if (isWanted) await pause(yieldMs, undefined, { ref: false });
  leaveQueue(state, place);
}

/** Whether another process waits for it. */
async function releaseLater({ pool }: State, { name, token }: Lease): Promise<boolean> {
  const { rows } = await pool.query<{ readonly isWanted: boolean }>(releaseLeaseSql, [name, token]);
  return rows[0]?.isWanted ?? false;
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
    // What cannot be renewed because the database is away ends by itself.
    state.pool.query(renewLeases, [JSON.stringify([...state.leases]), state.limits.leaseMs / 1_000]).catch(() => undefined);
  }, state.limits.renewEveryMs).unref();
}
