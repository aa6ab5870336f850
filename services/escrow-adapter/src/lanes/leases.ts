import { randomInt, randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import type { Broker } from '@holdfast/shared/broker';
import { AppError } from '@holdfast/shared/errors';
import type { Database } from '@holdfast/shared/postgres';
import { leaseRows, type LeaseRows } from './lease-rows.js';

export type Held = { readonly name: string; readonly release: () => void };

/**
 * Who uses something of which there is one, such as a source account: in order within a process, by a row between processes.
 * A process keeps what it has used for a while, because it will likely use it again, and gives it back when another one asks.
 * A lease that ran out is not noticed by its holder, so it may guard only what is safe without it.
 */
export type Leases = {
  /** Waits for one of the names, the least wanted one. SERVICE_UNAVAILABLE when it does not come free in time. */
  readonly acquire: (names: readonly string[], signal: AbortSignal, waitMsMax?: number) => Promise<Held>;
  /** Gives back what is kept. */
  readonly stop: () => Promise<void>;
};

export type LeasesOptions = {
  readonly database: Pick<Database, 'pool'>;
  /** How processes ask each other for what one of them keeps. */
  readonly broker: Pick<Broker, 'broadcast' | 'onBroadcast'>;
  readonly limits?: Partial<LeaseLimits>;
};

export type LeaseLimits = {
  /** So long the others wait for what a dead process has left. */
  readonly leaseMs: number;
  /** So long a lease that nobody uses is kept. */
  readonly keepMs: number;
  /** How often leases are renewed, and given back when nobody has used them. */
  readonly tendEveryMs: number;
  readonly waitMsMax: number;
};

const leaseLimits: LeaseLimits = { leaseMs: 6_000, keepMs: 10_000, tendEveryMs: 2_000, waitMsMax: 10_000 };
const askAgainMs = 20;
/** Long enough for whoever has asked to come first. */
const stepBackMs = 3 * askAgainMs;
const wantedTopic = 'lease wanted';

type Lease = { readonly token: string; readonly endsAt: number };

/** One name in this process. */
type Place = {
  readonly name: string;
  readonly waiting: (() => void)[];
  isInUse: boolean;
  lease: Lease | undefined;
  usedAt: number;
  /** Another process has asked for it. */
  isWanted: boolean;
  /** Nobody here asks the database for it before. */
  notBefore: number;
  givingBack: Promise<void>;
};

type State = {
  readonly rows: LeaseRows;
  readonly broker: LeasesOptions['broker'];
  readonly limits: LeaseLimits;
  readonly places: Map<string, Place>;
  timer: NodeJS.Timeout | undefined;
  isStopping: boolean;
};

export function createLeases({ database, broker, limits }: LeasesOptions): Leases {
  const places = new Map<string, Place>();
  const state: State = {
    rows: leaseRows(database),
    broker,
    limits: { ...leaseLimits, ...limits },
    places,
    timer: undefined,
    isStopping: false,
  };
  const stopListening = broker.onBroadcast([wantedTopic], ({ key }) => {
    const place = places.get(key);
    if (place?.lease !== undefined) handOver(state, place);
  });
  return {
    acquire: async (names, signal, waitMsMax = state.limits.waitMsMax) => {
      tendLater(state);
      const wait = { deadline: performance.now() + waitMsMax, signal };
      for (;;) {
        const place = placeAt(state, leastWanted(state, names));
        await turnAt(place, wait.deadline);
        if (await isLeased(state, place, { ...wait, isOnlyOne: names.length === 1 })) return heldAt(state, place);
      }
    },
    stop: async () => {
      state.isStopping = true;
      stopListening();
      clearTimeout(state.timer);
      const idle = [...places.values()].filter(({ isInUse }) => !isInUse);
      giveBack(state, idle);
      await Promise.all(idle.map(({ givingBack }) => givingBack));
    },
  };
}

/** What this process keeps comes first; of equal ones any, for several processes should not all begin with the same. */
function leastWanted({ places }: State, names: readonly string[]): string {
  const now = performance.now();
  const costOf = (name: string): number => {
    const place = places.get(name);
    if (place === undefined) return 1;
    const users = place.waiting.length + (place.isInUse ? 1 : 0);
    const isElsewhere = place.lease === undefined && place.notBefore > now;
    return 2 * users + (place.lease === undefined ? 1 : 0) + (isElsewhere ? 1 : 0);
  };
  const start = names.length > 1 ? randomInt(names.length) : 0;
  const [first, ...others] = [...names.slice(start), ...names.slice(0, start)];
  if (first === undefined) throw new Error('There is nothing to lease.');
  return others.reduce((best, name) => (costOf(name) < costOf(best) ? name : best), first);
}

function placeAt({ places }: State, name: string): Place {
  const known = places.get(name);
  if (known !== undefined) return known;
  const place = {
    name,
    waiting: [],
    isInUse: false,
    lease: undefined,
    usedAt: 0,
    isWanted: false,
    notBefore: 0,
    givingBack: Promise.resolve(),
  };
  places.set(name, place);
  return place;
}

/** Whoever gets past this is alone at the place within this process, and must leave it. */
function turnAt(place: Place, deadline: number): Promise<void> {
  if (!place.isInUse) {
    place.isInUse = true;
    return Promise.resolve();
  }
  return new Promise((resolve, reject) => {
    const go = (): void => {
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(
      () => {
        place.waiting.splice(place.waiting.indexOf(go), 1);
        reject(tooLong());
      },
      Math.max(0, deadline - performance.now()),
    ).unref();
    place.waiting.push(go);
  });
}

function tooLong(): AppError {
  return new AppError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1 });
}

type Wait = { readonly deadline: number; readonly signal: AbortSignal; readonly isOnlyOne: boolean };

/** False where another process has it and there are others to choose from; then, and where this throws, the place is left. */
async function isLeased(state: State, place: Place, wait: Wait): Promise<boolean> {
  try {
    if (isLasting(state, place)) return true;
    do {
      if (await take(state, place, wait)) return true;
      if (performance.now() > wait.deadline) throw tooLong();
    } while (wait.isOnlyOne);
  } catch (error) {
    leave(state, place);
    throw error;
  }
  leave(state, place);
  return false;
}

/** One that is about to end is taken anew before anybody relies on it. */
function isLasting({ limits }: State, { lease }: Place): boolean {
  return lease !== undefined && lease.endsAt - performance.now() > limits.leaseMs / 3;
}

async function take({ rows, limits, broker }: State, place: Place, { signal }: Wait): Promise<boolean> {
  await place.givingBack;
  const waitMs = place.notBefore - performance.now();
  if (waitMs > 0) await pause(waitMs);
  signal.throwIfAborted();
  const token = randomUUID();
  const endsAt = performance.now() + limits.leaseMs;
  if (await rows.take({ name: place.name, token, previous: place.lease?.token }, limits.leaseMs)) {
    place.lease = { token, endsAt };
    return true;
  }
  place.lease = undefined;
  place.notBefore = performance.now() + randomInt(askAgainMs, 2 * askAgainMs);
  broker.broadcast({ topic: wantedTopic, key: place.name });
  return false;
}

function heldAt(state: State, place: Place): Held {
  let isReleased = false;
  return {
    name: place.name,
    release: () => {
      if (isReleased) return;
      isReleased = true;
      place.usedAt = performance.now();
      leave(state, place);
    },
  };
}

/** The next one in line goes on with the lease, unless another process has asked for it. */
function leave(state: State, place: Place): void {
  if (place.isWanted || state.isStopping) giveBack(state, [place]);
  const next = place.waiting.shift();
  if (next === undefined) place.isInUse = false;
  else next();
}

function handOver(state: State, place: Place): void {
  if (place.isInUse) place.isWanted = true;
  else giveBack(state, [place]);
}

/** Where this fails the leases end by themselves. Whoever comes next in this process lets others go first. */
function giveBack({ rows }: State, given: readonly Place[]): void {
  const held = given.flatMap(({ name, lease }) => (lease === undefined ? [] : [{ name, token: lease.token }]));
  if (held.length === 0) return;
  const done = rows.giveBack(held).catch(() => undefined);
  for (const place of given) {
    if (place.isWanted) place.notBefore = performance.now() + stepBackMs;
    place.lease = undefined;
    place.isWanted = false;
    place.givingBack = done;
  }
}

function tendLater(state: State): void {
  state.timer ??= setTimeout(() => tend(state), state.limits.tendEveryMs).unref();
}

/** Renews what is used or may be used again soon, gives back the rest, and comes again as long as there is anything. */
function tend(state: State): void {
  const { places, limits } = state;
  state.timer = undefined;
  for (const place of places.values()) if (isEmpty(place)) places.delete(place.name);
  if (places.size === 0) return;
  tendLater(state);
  const held = [...places.values()].filter(({ lease }) => lease !== undefined);
  const isForgotten = ({ isInUse, usedAt }: Place): boolean => !isInUse && performance.now() - usedAt > limits.keepMs;
  giveBack(state, held.filter(isForgotten));
  // What cannot be renewed because the database is away ends by itself.
  renew(state, held).catch(() => undefined);
}

function isEmpty({ isInUse, lease, notBefore }: Place): boolean {
  return !isInUse && lease === undefined && notBefore < performance.now();
}

/** What another process has meanwhile is not ours any more. */
async function renew({ rows, limits }: State, places: readonly Place[]): Promise<void> {
  const asked = places.flatMap((place) => (place.lease === undefined ? [] : [{ place, token: place.lease.token }]));
  if (asked.length === 0) return;
  const endsAt = performance.now() + limits.leaseMs;
  const held = asked.map(({ place, token }) => ({ name: place.name, token }));
  const kept = await rows.renew(held, limits.leaseMs);
  for (const { place, token } of asked) {
    if (place.lease?.token === token) place.lease = kept.has(place.name) ? { token, endsAt } : undefined;
  }
}
