import { randomInt, randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '@holdfast/shared/errors';
import type { Database } from '@holdfast/shared/postgres';
import { giveBackLease, renewLeases, takeLease } from './lease-sql.js';

export type Held = {
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
  readonly acquire: (names: readonly string[], signal: AbortSignal, waitMsMax?: number) => Promise<Held>;
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
const askAgainMs = 20;
/** How long a process that was asked for a lease leaves it alone: long enough for the other one to ask again. */
const stepBackMs = 3 * askAgainMs;

/** A name that somebody in this process uses, and who waits for it in order. */
type Place = { readonly name: string; readonly waiting: (() => void)[] };

type Lease = { readonly name: string; readonly token: string };

type State = {
  readonly pool: Database['pool'];
  readonly limits: LeaseLimits;
  readonly places: Map<string, Place>;
  readonly held: Set<Lease>;
  readonly givingBack: Set<Promise<void>>;
  timer: NodeJS.Timeout | undefined;
};

export function createLeases({ database, limits }: LeasesOptions): Leases {
  const state: State = {
    pool: database.pool,
    limits: { ...leaseLimits, ...limits },
    places: new Map(),
    held: new Set(),
    givingBack: new Set(),
    timer: undefined,
  };
  return {
    acquire: (names, signal, waitMsMax = state.limits.waitMsMax) =>
      acquire(state, names, { deadline: performance.now() + waitMsMax, signal }),
    stop: async () => {
      clearTimeout(state.timer);
      await Promise.all(state.givingBack);
    },
  };
}

type Wait = { readonly deadline: number; readonly signal: AbortSignal };

async function acquire(state: State, names: readonly string[], { deadline, signal }: Wait): Promise<Held> {
  const elsewhere = new Set<string>();
  for (;;) {
    const place = await turnAt(state, leastBusy(state, names, elsewhere), deadline);
    const lease = await take(state, place.name, signal).catch((error: unknown) => {
      leave(state, place);
      throw error;
    });
    if (lease !== undefined) return heldAt(state, place, lease);
    leave(state, place);
    if (performance.now() > deadline) throw tooLong();
    elsewhere.add(place.name);
    if (elsewhere.size < names.length) continue;
    elsewhere.clear();
    await pause(randomInt(askAgainMs, 2 * askAgainMs), undefined, { signal });
  }
}

/** Those that another process has come last. Of equally busy ones any, so that several processes do not all begin with the same. */
function leastBusy({ places }: State, names: readonly string[], elsewhere: ReadonlySet<string>): string {
  const usersOf = (name: string): number => {
    if (elsewhere.has(name)) return Number.POSITIVE_INFINITY;
    const place = places.get(name);
    return place === undefined ? 0 : place.waiting.length + 1;
  };
  const start = names.length > 1 ? randomInt(names.length) : 0;
  const [first, ...others] = [...names.slice(start), ...names.slice(0, start)];
  if (first === undefined) throw new Error('There is nothing to lease.');
  return others.reduce((best, name) => (usersOf(name) < usersOf(best) ? name : best), first);
}

/** Whoever gets past this is alone with the name within this process, and must leave its place. */
async function turnAt({ places }: State, name: string, deadline: number): Promise<Place> {
  const taken = places.get(name);
  if (taken !== undefined) {
    await turnInLine(taken, deadline);
    return taken;
  }
  const place = { name, waiting: [] };
  places.set(name, place);
  return place;
}

function turnInLine({ waiting }: Place, deadline: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const go = (): void => {
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(
      () => {
        waiting.splice(waiting.indexOf(go), 1);
        reject(tooLong());
      },
      Math.max(0, deadline - performance.now()),
    ).unref();
    waiting.push(go);
  });
}

function tooLong(): AppError {
  return new AppError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1 });
}

/** Undefined where another process has it. */
async function take({ pool, limits }: State, name: string, signal: AbortSignal): Promise<Lease | undefined> {
  signal.throwIfAborted();
  const token = randomUUID();
  const { rows } = await pool.query<{ readonly token: string }>(takeLease, [name, token, limits.leaseMs / 1_000]);
  return rows[0]?.token === token ? { name, token } : undefined;
}

function heldAt(state: State, place: Place, lease: Lease): Held {
  let isReleased = false;
  state.held.add(lease);
  renewLater(state);
  const once = (isWanted: () => Promise<boolean>): void => {
    if (isReleased) return;
    isReleased = true;
    state.held.delete(lease);
    const done = giveWay(state, place, isWanted).finally(() => state.givingBack.delete(done));
    state.givingBack.add(done);
  };
  return {
    ...lease,
    release: () => once(() => giveBack(state, lease)),
    released: (isWanted) => once(() => Promise.resolve(isWanted)),
  };
}

/** A lease that cannot be given back ends by itself. */
async function giveWay(state: State, place: Place, isGivenBackWanted: () => Promise<boolean>): Promise<void> {
  const isWanted = await isGivenBackWanted().catch(() => false);
  if (isWanted) await pause(stepBackMs, undefined, { ref: false });
  leave(state, place);
}

/** Whether another process waits for it. */
async function giveBack({ pool }: State, { name, token }: Lease): Promise<boolean> {
  const { rows } = await pool.query<{ readonly isWanted: boolean }>(giveBackLease, [name, token]);
  return rows[0]?.isWanted ?? false;
}

function leave({ places }: State, place: Place): void {
  const next = place.waiting.shift();
  if (next === undefined) places.delete(place.name);
  else next();
}

function renewLater(state: State): void {
  state.timer ??= setTimeout(() => {
    state.timer = undefined;
    if (state.held.size === 0) return;
    renewLater(state);
    // What cannot be renewed because the database is away ends by itself.
    state.pool.query(renewLeases, [JSON.stringify([...state.held]), state.limits.leaseMs / 1_000]).catch(() => undefined);
  }, state.limits.renewEveryMs).unref();
}
