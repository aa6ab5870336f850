import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { backoffMs, type Backoff } from '@holdfast/kernel/async';
import type { Log } from '@holdfast/kernel/context';
import { inCausedSpan, recordFailure } from '@holdfast/observability';
import { OutcomeUnknown } from '@holdfast/postgres';
import { createWaiters, type Waiters } from '@holdfast/work';
import { intentSpan } from './intent-span.js';
import type { IntentStore } from './intent-store.js';
import { IntentPaused, LeaseLost, type Intent, type WorkerState } from './intent.js';

type RetryLater = {
  readonly retryInMs?: number;
  readonly workerState?: WorkerState;
  /** The run does not count as an attempt. */
  readonly isUncounted?: boolean;
};

/** The result of one run: the intent is closed, or it is retried after `retryInMs`, by default with exponential backoff. */
export type RunResult = 'closed' | RetryLater;

/** Runs an intent whose lease is held. It closes the intent in the same commit as its replies, or throws IntentPaused. */
export type Handler = (intent: Intent, signal: AbortSignal) => Promise<RunResult>;

export type IntentWorkerLimits = {
  /** Intents that one process runs concurrently. */
  readonly runningMax: number;
  readonly renewEveryMs: number;
  /** The poll covers lost wake-ups and intents of processes that died. */
  readonly pollMs: number;
  /** Finds intents that another process has closed, for requests that wait for them. */
  readonly waitersPollMs: number;
  /** How long those requests wait on when the process stops; shorter than the time in which an HTTP server drains. */
  readonly stopGraceMs: number;
  readonly drainTimeoutMs: number;
  /** Delay between runs that did not close an intent. */
  readonly backoff: Backoff;
};

const defaultLimits: IntentWorkerLimits = {
  runningMax: 64,
  renewEveryMs: 5_000,
  pollMs: 1_000,
  waitersPollMs: 500,
  stopGraceMs: 3_000,
  drainTimeoutMs: 5_000,
  backoff: { firstDelayMs: 100, delayMsMax: 10_000 },
};

export type IntentWorkerOptions = {
  readonly store: IntentStore;
  readonly handlers: Readonly<Record<string, Handler>>;
  readonly log: Log;
  readonly limits?: Partial<IntentWorkerLimits>;
  /** Aborted when the process begins to stop, for requests that wait until an intent is closed. */
  readonly signal?: AbortSignal;
};

/** Claims stored intents with leases and runs them; every process has one worker. */
export type IntentWorker = {
  /** Claims the intent now, even if it is not due yet. A wake-up may be lost; the poll covers it. */
  readonly wake: (intentId: string) => void;
  /**
   * Waits until the intent is closed, by this or another process. False at the time limit and when the process stops: the intent
   * goes on.
   */
  readonly waitUntilClosed: (intentId: string, timeoutMs: number) => Promise<boolean>;
  readonly start: () => void;
  /** Aborts the runs, waits until they have stopped, and releases the leases. */
  readonly stop: () => Promise<void>;
};

type Running = {
  readonly intent: Intent;
  /** Aborted when the worker stops and when the lease is lost. */
  readonly stopping: AbortController;
  /** When the lease was begun or renewed, on the monotonic clock. */
  renewedAtMs: number;
  isWoken: boolean;
};

type State = Omit<IntentWorkerOptions, 'limits'> & {
  readonly limits: IntentWorkerLimits;
  readonly stopping: AbortController;
  readonly running: Map<string, Running>;
  readonly inFlight: Set<Promise<void>>;
  readonly timers: Set<NodeJS.Timeout>;
  readonly waiters: Waiters<string, 'closed'>;
  /** Intents to claim now, due or not. */
  readonly woken: Set<string>;
  isClaiming: boolean;
  /** Whether the database may hold due intents without a lease. */
  isBacklogLikely: boolean;
};

export function createIntentWorker({ limits, ...options }: IntentWorkerOptions): IntentWorker {
  const allLimits = { ...defaultLimits, ...limits };
  const state: State = {
    ...options,
    limits: allLimits,
    stopping: new AbortController(),
    running: new Map(),
    inFlight: new Set(),
    timers: new Set(),
    waiters: waitersOf(options, allLimits),
    woken: new Set(),
    isClaiming: false,
    isBacklogLikely: true,
  };
  return {
    wake: (intentId) => wake(state, intentId),
    waitUntilClosed: (intentId, timeoutMs) => waitUntilClosed(state, intentId, timeoutMs),
    start: () => {
      track(state, every(state, state.limits.pollMs, poll));
      track(state, every(state, state.limits.renewEveryMs, renew));
      track(state, every(state, state.store.leaseMs * checkedPart, abortExpiring));
    },
    stop: () => stop(state),
  };
}

function waitersOf({ store, log, signal }: Omit<IntentWorkerOptions, 'limits'>, limits: IntentWorkerLimits): State['waiters'] {
  const { waitersPollMs: pollEveryMs, stopGraceMs } = limits;
  const readOutcomes = async (ids: readonly string[]) =>
    new Map((await store.findClosed(ids)).map((id) => [id, 'closed'] as const));
  return createWaiters({ name: 'intents', readOutcomes, pollEveryMs, log, signal, stopGraceMs });
}

/** The intent may have been closed before, unless this process is running it. */
async function waitUntilClosed({ waiters, running }: State, intentId: string, timeoutMs: number): Promise<boolean> {
  const closed = waiters.wait(intentId, { timeoutMs });
  if (!running.has(intentId)) waiters.check(intentId);
  return (await closed) !== undefined;
}

function hasRoom(state: State): boolean {
  return roomOf(state) > 0 && !state.stopping.signal.aborted;
}

function roomOf({ running, limits }: State): number {
  return limits.runningMax - running.size;
}

function startRun(state: State, intent: Intent): void {
  const own = { intent, stopping: new AbortController(), renewedAtMs: performance.now(), isWoken: false };
  if (state.stopping.signal.aborted) own.stopping.abort(state.stopping.signal.reason);
  state.running.set(intent.id, own);
  track(state, run(state, own));
}

async function run(state: State, own: Running): Promise<void> {
  const result = await inCausedSpan(intentSpan(own.intent), () => attempt(state, own));
  state.running.delete(own.intent.id);
  if (result === 'closed') state.waiters.resolve(own.intent.id, 'closed');
  else if (result !== undefined) await postpone(state, own, result);
  await claim(state);
}

/** Undefined where another process has claimed the intent. */
async function attempt({ handlers, stopping, log }: State, own: Running): Promise<RunResult | undefined> {
  const { id: intentId, kind, subject, attempts } = own.intent;
  try {
    const handler = handlers[kind];
    if (handler === undefined) throw new Error(`There is no handler for intents of kind ${kind}.`);
    return await handler(own.intent, own.stopping.signal);
  } catch (error) {
    if (error instanceof LeaseLost || own.stopping.signal.reason instanceof LeaseLost) return undefined;
    // The next run finds the intent closed, or does again what was not committed.
    if (error instanceof OutcomeUnknown) return { retryInMs: 0, isUncounted: true };
    if (error instanceof IntentPaused) return { retryInMs: error.retryInMs, isUncounted: true };
    recordFailure(error);
    if (!stopping.signal.aborted) log.warn({ intentId, kind, subject, attempts, error }, 'intent run failed');
    return {};
  }
}

async function postpone(state: State, { intent, isWoken }: Running, later: RetryLater): Promise<void> {
  const { store, stopping, timers, limits } = state;
  const { retryInMs, workerState = {}, isUncounted = false } = later;
  const pauseMs = retryInMs ?? backoffMs(intent.attempts + 1, limits.backoff);
  const delayMs = isWoken || stopping.signal.aborted ? 0 : pauseMs;
  try {
    await store.postpone(intent, delayMs, { workerState, isCounted: !isUncounted });
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
  if (own !== undefined) {
    own.isWoken = true;
    return;
  }
  if (hasRoom(state)) state.woken.add(intentId);
  else state.isBacklogLikely = true;
  track(state, claim(state));
}

function poll(state: State): Promise<void> {
  state.isBacklogLikely = true;
  return claim(state);
}

/** One claim at a time, so that no more intents are claimed than there are free slots. Wake-ups meanwhile share the next claim. */
async function claim(state: State): Promise<void> {
  if (state.isClaiming) return;
  state.isClaiming = true;
  try {
    while (hasRoom(state) && (state.woken.size > 0 || state.isBacklogLikely)) await claimOnce(state);
  } finally {
    state.isClaiming = false;
  }
}

async function claimOnce(state: State): Promise<void> {
  const { store, woken } = state;
  skipRunning(state);
  if (woken.size === 0 && !state.isBacklogLikely) return;
  const room = roomOf(state);
  const ids = [...woken].slice(0, room);
  if (woken.size > room) state.isBacklogLikely = true;
  woken.clear();
  const claimed = ids.length > 0 ? await store.claim(ids) : await store.claimDue(room);
  if (ids.length === 0) state.isBacklogLikely = claimed.length >= room;
  for (const intent of claimed) startRun(state, intent);
}

/** An intent may be woken up again while it is being claimed. By now it runs, and a second run would take its lease away. */
function skipRunning({ woken, running }: State): void {
  for (const id of woken) {
    const own = running.get(id);
    if (own === undefined) continue;
    own.isWoken = true;
    woken.delete(id);
  }
}

/** Aborts the runs whose lease was lost, because another process may have claimed the intent. */
async function renew({ running, store }: State): Promise<void> {
  const current = [...running.values()];
  if (current.length === 0) return;
  const startedAtMs = performance.now();
  const renewed = await store.renew(current.map(({ intent }) => intent));
  for (const own of current) {
    if (renewed.has(own.intent.id)) own.renewedAtMs = startedAtMs;
    else own.stopping.abort(new LeaseLost(own.intent.id));
  }
}

/** Parts of the lease time: a run is aborted when only the last third of it is left, and that is looked at ten times. */
const [checkedPart, usedPartMax] = [0.1, 2 / 3];

/** Renewals that fail or hang must not let a run go on when another process may claim its intent. */
function abortExpiring({ running, store, log }: State): Promise<void> {
  const renewedBeforeMs = performance.now() - store.leaseMs * usedPartMax;
  for (const { intent, stopping, renewedAtMs } of running.values()) {
    if (renewedAtMs > renewedBeforeMs || stopping.signal.aborted) continue;
    log.warn({ intentId: intent.id, kind: intent.kind }, 'the lease of an intent was not renewed in time; its run is aborted');
    stopping.abort(new LeaseLost(intent.id));
  }
  return Promise.resolve();
}

async function every(state: State, ms: number, act: (state: State) => Promise<void>): Promise<void> {
  const { signal } = state.stopping;
  while (!signal.aborted) {
    await act(state).catch((error: unknown) => state.log.warn({ error }, 'intent worker could not poll or renew its leases'));
    await pause(ms, undefined, { signal }).catch(() => undefined);
  }
}

function track({ inFlight, log }: State, promise: Promise<void>): void {
  const tracked = promise
    .catch((error: unknown) => log.warn({ error }, 'intent worker failed; the intent is claimed again when its lease expires'))
    .finally(() => inFlight.delete(tracked));
  inFlight.add(tracked);
}

async function stop({ stopping, running, timers, waiters, inFlight, store, limits, log }: State): Promise<void> {
  stopping.abort(new Error('stopping'));
  for (const own of running.values()) own.stopping.abort(stopping.signal.reason);
  for (const timer of timers) clearTimeout(timer);
  await Promise.race([Promise.all(inFlight), pause(limits.drainTimeoutMs, undefined, { ref: false })]);
  waiters.close();
  await store.release().catch((error: unknown) => log.warn({ error }, 'intent worker could not release its leases; they expire'));
}
