import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '@holdfast/shared/context';
import type { IntentStore } from './intent-store.js';
import { LeaseLost, type Intent, type Memo } from './intent.js';

type Later = { readonly againInMs?: number; readonly memo?: Memo };

/** What one run came to: the intent is closed, or it is looked at again, each time after a longer pause unless one is named. */
export type RunResult = 'closed' | Later;

/** Works on an intent whose lease is held. It closes the intent in the commit that stores the outcome. */
export type Handler = (intent: Intent, signal: AbortSignal) => Promise<RunResult>;

/** An intent that was stored a moment ago, with a handler that need not read what has just been written. */
export type Stored = { readonly intent: Intent; readonly handler: Handler };

export type LaneLimits = {
  /** Intents that one process works on at the same time. */
  readonly runningMax: number;
  readonly renewEveryMs: number;
  /** The safety net: it finds what other processes left behind. */
  readonly pollMs: number;
  readonly drainTimeoutMs: number;
  /** After a run that broke down: the first pause, which doubles up to the last one. */
  readonly retryMs: { readonly first: number; readonly last: number };
};

const laneLimits: LaneLimits = {
  runningMax: 64,
  renewEveryMs: 5_000,
  pollMs: 1_000,
  drainTimeoutMs: 5_000,
  retryMs: { first: 100, last: 10_000 },
};

export type LaneOptions = {
  readonly store: IntentStore;
  readonly handlers: Readonly<Record<string, Handler>>;
  readonly log: Log;
  readonly limits?: Partial<LaneLimits>;
};

/** Works off intents, in this process and side by side with the lanes of others. */
export type Lane = {
  /** Has an intent stored, leased where there is room, and works on it at once. False where it was stored before. */
  readonly ask: (store: (isLeased: boolean) => Promise<Stored | undefined>) => Promise<boolean>;
  /** There is news about an intent: it is looked at now, whenever it is due. */
  readonly wake: (intentId: string) => void;
  readonly start: () => void;
  /** Lets runs come to their next stop, and gives back what is not done. */
  readonly stop: () => Promise<void>;
};

type Running = {
  readonly intent: Intent;
  readonly handler: Handler | undefined;
  /** Called off when the lane stops, and when the lease is lost. */
  readonly stopping: AbortController;
  isWoken: boolean;
};

type State = Omit<LaneOptions, 'limits'> & {
  readonly limits: LaneLimits;
  readonly stopping: AbortController;
  readonly running: Map<string, Running>;
  readonly works: Set<Promise<void>>;
  readonly timers: Set<NodeJS.Timeout>;
  /** Intents that are being stored for this process to work on. */
  asking: number;
  /** Whether the database may hold due intents that nobody works on. */
  isBacklogLikely: boolean;
};

export function createLane({ limits, ...options }: LaneOptions): Lane {
  const state: State = {
    ...options,
    limits: { ...laneLimits, ...limits },
    stopping: new AbortController(),
    running: new Map(),
    works: new Set(),
    timers: new Set(),
    asking: 0,
    isBacklogLikely: true,
  };
  return {
    ask: (store) => ask(state, store),
    wake: (intentId) => wake(state, intentId),
    start: () => {
      track(state, every(state, state.limits.pollMs, fill));
      track(state, every(state, state.limits.renewEveryMs, renew));
    },
    stop: () => stop(state),
  };
}

async function ask(state: State, store: Parameters<Lane['ask']>[0]): Promise<boolean> {
  if (!hasRoom(state)) {
    state.isBacklogLikely = true;
    return (await store(false)) !== undefined;
  }
  state.asking += 1;
  try {
    const stored = await store(true);
    if (stored !== undefined) begin(state, stored.intent, stored.handler);
    return stored !== undefined;
  } finally {
    state.asking -= 1;
  }
}

/** A pause that doubles with the attempts; half of it is left to chance. */
function backOffMs({ first, last }: LaneLimits['retryMs'], attempts: number): number {
  const half = Math.ceil(Math.min(last, first * 2 ** Math.min(attempts, 20)) / 2);
  return half + randomInt(half + 1);
}

function hasRoom(state: State): boolean {
  return roomOf(state) > 0 && !state.stopping.signal.aborted;
}

function roomOf({ running, asking, limits }: State): number {
  return limits.runningMax - running.size - asking;
}

function begin(state: State, intent: Intent, handler = state.handlers[intent.kind]): void {
  const own = { intent, handler, stopping: new AbortController(), isWoken: false };
  if (state.stopping.signal.aborted) own.stopping.abort(state.stopping.signal.reason);
  state.running.set(intent.id, own);
  track(state, run(state, own));
}

async function run(state: State, own: Running): Promise<void> {
  const result = await attempt(state, own);
  state.running.delete(own.intent.id);
  if (result !== undefined && result !== 'closed') await postpone(state, own, result);
  if (state.isBacklogLikely) await fill(state);
}

/** Undefined where another process has taken over. */
async function attempt({ stopping, log }: State, own: Running): Promise<RunResult | undefined> {
  const { id: intentId, kind, subject, attempts } = own.intent;
  try {
    if (own.handler === undefined) throw new Error(`Nobody works on intents of kind ${kind}.`);
    return await own.handler(own.intent, own.stopping.signal);
  } catch (error) {
    if (error instanceof LeaseLost || own.stopping.signal.reason instanceof LeaseLost) return undefined;
    if (!stopping.signal.aborted) log.warn({ intentId, kind, subject, attempts, error }, 'an intent could not be carried on');
    return {};
  }
}

async function postpone(state: State, { intent, isWoken }: Running, { againInMs, memo }: Later): Promise<void> {
  const { store, stopping, timers, limits } = state;
  const pauseMs = againInMs ?? backOffMs(limits.retryMs, intent.attempts);
  const delayMs = isWoken || stopping.signal.aborted ? 0 : pauseMs;
  try {
    await store.postpone(intent, delayMs, memo ?? {});
  } catch (error) {
    if (error instanceof LeaseLost) return;
    throw error;
  }
  if (stopping.signal.aborted) return;
  const timer = setTimeout(() => {
    timers.delete(timer);
    wake(state, intent.id);
  }, delayMs);
  timers.add(timer);
}

function wake(state: State, intentId: string): void {
  const own = state.running.get(intentId);
  if (own !== undefined) own.isWoken = true;
  else if (hasRoom(state)) track(state, claimAndBegin(state, intentId));
  else state.isBacklogLikely = true;
}

async function claimAndBegin(state: State, intentId: string): Promise<void> {
  const intent = await state.store.claimOne(intentId);
  if (intent !== undefined) begin(state, intent);
}

async function fill(state: State): Promise<void> {
  if (!hasRoom(state)) return;
  const room = roomOf(state);
  const claimed = await state.store.claimDue(room);
  state.isBacklogLikely = claimed.length >= room;
  for (const intent of claimed) begin(state, intent);
}

/** Whoever lost a lease stops: another process has begun where this one is. */
async function renew({ running, store }: State): Promise<void> {
  const held = [...running.values()];
  if (held.length === 0) return;
  const kept = await store.renew(held.map(({ intent }) => intent));
  for (const { intent, stopping } of held) if (!kept.has(intent.id)) stopping.abort(new LeaseLost(intent.id));
}

async function every(state: State, ms: number, work: (state: State) => Promise<void>): Promise<void> {
  const { signal } = state.stopping;
  while (!signal.aborted) {
    await work(state).catch((error: unknown) => state.log.warn({ error }, 'a lane could not look after its intents'));
    await pause(ms, undefined, { signal }).catch(() => undefined);
  }
}

function track({ works, log }: State, work: Promise<void>): void {
  const tracked = work
    .catch((error: unknown) => log.warn({ error }, 'a lane stumbled; the intent is found again when its lease ends'))
    .finally(() => works.delete(tracked));
  works.add(tracked);
}

async function stop({ stopping, running, timers, works, store, limits, log }: State): Promise<void> {
  stopping.abort(new Error('stopping'));
  for (const own of running.values()) own.stopping.abort(stopping.signal.reason);
  for (const timer of timers) clearTimeout(timer);
  await Promise.race([Promise.all(works), pause(limits.drainTimeoutMs, undefined, { ref: false })]);
  await store.release().catch((error: unknown) => log.warn({ error }, 'the leases of a lane end by themselves'));
}
