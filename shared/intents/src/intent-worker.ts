import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { backoffMs } from '@holdfast/kernel/async';
import type { Log } from '@holdfast/kernel/context';
import { inCausedSpan, recordFailure } from '@holdfast/observability';
import { OutcomeUnknown } from '@holdfast/postgres';
import { createWaiters, type Job, type WakeJob, type Waiters } from '@holdfast/work';
import { intentSpan } from './intent-span.js';
import type { IntentStore } from './intent-store.js';
import { defaultLimits, type IntentWorkerLimits } from './intent-worker-limits.js';
import { IntentPaused, LeaseLost, type Intent, type WorkerState } from './intent.js';
import { abortAtExpiry, renewLeases, type Running } from './running-intents.js';
import { reserveSlot, withReserved, type Slot } from './slots.js';

type RetryLater = {
  readonly retryInMs?: number;
  readonly workerState?: WorkerState;
  /** The run does not count as an attempt. */
  readonly isUncounted?: boolean;
};

/** The result of one run: the intent is closed, or it is retried after `retryInMs`, by default with exponential backoff. */
export type RunResult = 'closed' | RetryLater;

/**
 * Runs an intent whose lease is held. It closes the intent in the same commit as its replies, or throws IntentPaused. `subject` is what
 * the transaction that stored the intent has read of its subject; only the run right after it has that.
 */
export type Handler<Subject = never> = (intent: Intent, signal: AbortSignal, subject?: Subject) => Promise<RunResult>;

export type IntentWorkerOptions<Subject = never> = {
  readonly store: IntentStore;
  readonly handlers: Readonly<Record<string, Handler<Subject>>>;
  readonly log: Log;
  readonly limits?: Partial<IntentWorkerLimits>;
  /** Wakes up the jobs of this process. */
  readonly wake: WakeJob;
  /** Wakes up the job in every process, when this one has no room for an intent. */
  readonly wakeReplicas: (jobName: string) => void;
  /** Aborted when the process begins to stop, for requests that wait until an intent is closed. */
  readonly signal?: AbortSignal;
};

/** Claims stored intents with leases and runs them; every process has one worker. */
export type IntentWorker<Subject = never> = {
  /** One claims due intents, including intents of processes that died; the other renews the leases of running intents. */
  readonly jobs: readonly Job[];
  /** Claims the intent now, even if it is not due yet. A wake-up may be lost; the job covers it. */
  readonly wake: (intentId: string) => void;
  /** Undefined while this process has no room for another intent. */
  readonly reserve: () => Slot<Subject> | undefined;
  /**
   * Waits until the intent is closed, by this or another process. False at the time limit and when the process stops: the intent continues.
   */
  readonly waitUntilClosed: (intentId: string, timeoutMs: number) => Promise<boolean>;
  /** Aborts the runs, waits until they have stopped, and releases the leases. */
  readonly stop: () => Promise<void>;
};

type State<Subject = never> = Omit<IntentWorkerOptions<Subject>, 'limits'> & {
  readonly limits: IntentWorkerLimits;
  readonly stopping: AbortController;
  readonly running: Map<string, Running>;
  reserved: number;
  readonly inFlight: Set<Promise<void>>;
  readonly timers: Set<NodeJS.Timeout>;
  readonly waiters: Waiters<string, 'closed'>;
  /** Intents to claim now, due or not. */
  readonly woken: Set<string>;
  isClaiming: boolean;
  /** Whether the database may hold due intents without a lease. */
  isBacklogLikely: boolean;
  /** When this process last woke up the others, on the monotonic clock. */
  wokeReplicasAtMs: number;
};

export function createIntentWorker<Subject = never>({ limits, ...options }: IntentWorkerOptions<Subject>): IntentWorker<Subject> {
  const allLimits = { ...defaultLimits, ...limits };
  const state: State<Subject> = {
    ...options,
    limits: allLimits,
    stopping: new AbortController(),
    running: new Map(),
    reserved: 0,
    inFlight: new Set(),
    timers: new Set(),
    waiters: waitersOf(options, allLimits),
    woken: new Set(),
    isClaiming: false,
    isBacklogLikely: true,
    wokeReplicasAtMs: Number.NEGATIVE_INFINITY,
  };
  return {
    jobs: jobsOf(state),
    wake: (intentId) => wake(state, intentId),
    reserve: () => reserve(state),
    waitUntilClosed: (intentId, timeoutMs) => waitUntilClosed(state, intentId, timeoutMs),
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

const jobName = 'run-due-intents';

/** Renewing costs nothing while no intent runs. */
function jobsOf(state: State): readonly Job[] {
  const { limits, store } = state;
  const look = {
    everyMs: limits.lookEveryMs,
    pauseMsMin: limits.pollMs,
    run: () => poll(state),
    nextDueInMs: () =>
      hasRoom(state) ? store.nextDueInMs() : Promise.resolve(state.isBacklogLikely ? limits.pollMs : undefined),
  };
  return [
    { name: jobName, ...look },
    { name: 'renew-running-intents', everyMs: limits.renewEveryMs, run: () => renewLeases(state) },
  ];
}

function hasRoom(state: State): boolean {
  return roomOf(state) > 0 && !state.stopping.signal.aborted;
}

function roomOf({ running, reserved, limits }: State): number {
  return limits.runningMax - running.size - reserved;
}

function reserve<Subject>(state: State<Subject>): Slot<Subject> | undefined {
  if (!hasRoom(state)) return undefined;
  // A redelivery of its message may have claimed the intent already, with a newer lease.
  return reserveSlot(state, (intent, subject) => {
    if (!state.running.has(intent.id)) startRun(state, intent, subject);
  });
}

function startRun<Subject>(state: State<Subject>, intent: Intent, subject?: Subject): void {
  const stopping = new AbortController();
  const own = { intent, stopping, expiring: abortAtExpiry(state, { intent, stopping }, performance.now()), isWoken: false };
  if (state.stopping.signal.aborted) own.stopping.abort(state.stopping.signal.reason);
  state.running.set(intent.id, own);
  track(state, run(state, own, subject));
}

async function run<Subject>(state: State<Subject>, own: Running, subject: Subject | undefined): Promise<void> {
  const result = await inCausedSpan(intentSpan(own.intent), () => attempt(state, own, subject));
  state.running.delete(own.intent.id);
  clearTimeout(own.expiring);
  if (result === 'closed') state.waiters.resolve(own.intent.id, 'closed');
  else if (result !== undefined) await postpone(state, own, result);
  await claim(state);
}

/** Undefined where another process has claimed the intent. */
async function attempt<Subject>(
  { handlers, stopping, log }: State<Subject>,
  own: Running,
  known: Subject | undefined,
): Promise<RunResult | undefined> {
  const { id: intentId, kind, subject, attempts } = own.intent;
  try {
    const handler = handlers[kind];
    if (handler === undefined) throw new Error(`There is no handler for intents of kind ${kind}.`);
    return await handler(own.intent, own.stopping.signal, known);
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
  else {
    state.isBacklogLikely = true;
    state.wake(jobName, state.limits.pollMs);
  }
  track(state, claim(state));
}

/** Intents that this process has had no room for since the last look are offered to the others. */
function poll(state: State): Promise<void> {
  if (!hasRoom(state) && state.isBacklogLikely) wakeReplicas(state);
  state.isBacklogLikely = true;
  return claim(state);
}

/** Two processes without room must not wake up each other without end. */
function wakeReplicas(state: State): void {
  const nowMs = performance.now();
  if (state.stopping.signal.aborted || nowMs < state.wokeReplicasAtMs + state.limits.pollMs) return;
  state.wokeReplicasAtMs = nowMs;
  state.wakeReplicas(jobName);
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
  const claimed =
    ids.length > 0 ? await withReserved(state, ids.length, () => store.claim(ids)) : await claimBacklog(state, room);
  for (const intent of claimed) startRun(state, intent);
}

/** An intent that is woken up while this has reserved all room is part of the backlog, and is claimed by the next look. */
async function claimBacklog(state: State, room: number): Promise<readonly Intent[]> {
  state.isBacklogLikely = false;
  const claimed = await withReserved(state, room, () => state.store.claimDue(room));
  if (claimed.length >= room) state.isBacklogLikely = true;
  return claimed;
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

function track({ inFlight, log, limits, wake: wakeJob }: State, promise: Promise<void>): void {
  const tracked = promise
    .catch((error: unknown) => {
      log.warn({ error }, 'intent worker failed; the intent is claimed again when its lease expires');
      wakeJob(jobName, limits.pollMs);
    })
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
