import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '@holdfast/kernel/context';
import { isAppError } from '@holdfast/kernel/errors';
import type { Append, Arrival } from '../use-cases/ports.js';
import { Superseded, appendBatch, type AppendedBatch, type BatchDeps } from './append-batch.js';

export type AppenderOptions = BatchDeps & {
  readonly log: Log;
  /** Maximum delay of the oldest message before its batch is written. */
  readonly batchDelayMs: number;
  /** Runs before each batch; creates missing partitions. */
  readonly prepare: () => Promise<void>;
  readonly onAppended: (batch: AppendedBatch) => void;
  /** Called with the number of pending messages whenever it changes. */
  readonly onWaiting: (count: number) => void;
  readonly onSuperseded: () => void;
};

/** Appends messages in batches while its fencing token is the newest. */
export type Appender = {
  readonly append: Append;
  /**
   * Writes the current batch without further delay. Messages that are still held back afterwards are rejected, and the broker
   * redelivers them.
   */
  readonly stop: () => Promise<void>;
};

type Waiter = { readonly resolve: () => void; readonly reject: (error: unknown) => void };

/** A message can be redelivered before it is appended, so several deliveries may wait for it. */
type Pending = { readonly arrival: Arrival; readonly waiters: Waiter[] };

type State = {
  readonly options: AppenderOptions;
  readonly pending: Map<string, Pending>;
  readonly stopping: AbortController;
  /** Number of messages that arrived since the last batch was taken. */
  arrivedSinceBatch: number;
  /** Ends the batch delay early. */
  endBatchDelay: () => void;
  running: Promise<void> | undefined;
  timer: NodeJS.Timeout | undefined;
  isFirst: boolean;
};

const batchMax = 2_000;
/** A batch of this size is written without waiting for more. */
const fullBatchSize = 500;
/**
 * After a change of the leader the backlog arrives in any order, so the first batch waits longer and is sorted by `occurredAt`.
 */
const firstBatchDelayMs = 100;
/** Maximum time between two checks of the messages that are held back. */
const recheckHeldBackMs = 200;
const databaseRetryMs = 500;

/**
 * A batch takes the messages that arrive within the batch delay and while the previous batch is written, in the order of arrival.
 */
export function createAppender(options: AppenderOptions): Appender {
  const stopping = new AbortController();
  const state: State = {
    options,
    pending: new Map(),
    stopping,
    arrivedSinceBatch: 0,
    endBatchDelay: () => undefined,
    running: undefined,
    timer: undefined,
    isFirst: true,
  };
  return {
    append: (arrival) =>
      new Promise((resolve, reject) => {
        if (stopping.signal.aborted) reject(new Superseded());
        else enqueue(state, arrival, { resolve, reject });
      }),
    stop: async () => {
      stopping.abort();
      clearTimeout(state.timer);
      state.endBatchDelay();
      await state.running;
      refuse(state, [...state.pending.keys()], new Superseded());
    },
  };
}

function enqueue(state: State, arrival: Arrival, waiter: Waiter): void {
  const { pending, options } = state;
  const known = pending.get(arrival.id) ?? { arrival, waiters: [] };
  known.waiters.push(waiter);
  pending.set(arrival.id, known);
  state.arrivedSinceBatch += 1;
  options.onWaiting(pending.size);
  if (isBatchFull(state)) state.endBatchDelay();
  start(state);
}

function start(state: State): void {
  clearTimeout(state.timer);
  if (!state.stopping.signal.aborted) state.running ??= new Promise(setImmediate).then(() => run(state));
}

/** Writes batches while they make progress; messages that are held back are checked again when their waiting time ends. */
async function run(state: State): Promise<void> {
  const { pending, stopping, options } = state;
  let hasProgress = true;
  while (pending.size > 0 && (hasProgress || state.arrivedSinceBatch > 0)) {
    if (state.arrivedSinceBatch > 0) await waitForBatch(state);
    hasProgress = await write(state, nextBatch(state));
    if (stopping.signal.aborted && state.arrivedSinceBatch === 0) break;
  }
  state.running = undefined;
  if (pending.size === 0 || stopping.signal.aborted) return;
  const nowMs = options.clock.epochMs();
  const waitsMs = [...pending.values()].flatMap(({ arrival }) => [arrival.heldUntilMs - nowMs, arrival.gapUntilMs - nowMs]);
  const recheckMs = Math.min(recheckHeldBackMs, ...waitsMs.filter((ms) => ms > 0));
  state.timer = setTimeout(() => start(state), recheckMs);
}

/** Waits for the batch delay, or until the batch is full. */
async function waitForBatch(state: State): Promise<void> {
  if (state.stopping.signal.aborted || isBatchFull(state)) return;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, state.isFirst ? firstBatchDelayMs : state.options.batchDelayMs);
    state.endBatchDelay = () => {
      clearTimeout(timer);
      resolve();
    };
  });
  state.endBatchDelay = () => undefined;
}

function isBatchFull({ arrivedSinceBatch, isFirst }: State): boolean {
  return arrivedSinceBatch >= fullBatchSize && !isFirst;
}

function nextBatch(state: State): readonly Arrival[] {
  const arrivals = [...state.pending.values()].slice(0, batchMax).map(({ arrival }) => arrival);
  if (state.isFirst) arrivals.sort(byOccurredAt);
  state.isFirst = false;
  state.arrivedSinceBatch = 0;
  return arrivals;
}

function byOccurredAt(one: Arrival, other: Arrival): number {
  if (one.message.occurredAt === other.message.occurredAt) return 0;
  return one.message.occurredAt < other.message.occurredAt ? -1 : 1;
}

/** Returns whether any message was appended or rejected, so that others may be ready now. */
async function write(state: State, arrivals: readonly Arrival[]): Promise<boolean> {
  const { options } = state;
  try {
    await options.prepare();
    const batch = await appendBatch(options, arrivals);
    settleWaiters(state, batch.doneIds, ({ resolve }) => resolve());
    if (batch.doneIds.size > 0) options.onAppended(batch);
    return batch.doneIds.size > 0;
  } catch (error) {
    return recover(state, arrivals, error);
  }
}

/** A batch that fails is written message by message, so that one message that cannot be written does not block the others. */
async function recover(state: State, arrivals: readonly Arrival[], error: unknown): Promise<boolean> {
  const { options, pending } = state;
  if (isAppError(error, 'SERVICE_UNAVAILABLE')) {
    options.log.warn({ error: error.cause, waiting: pending.size }, 'appending is paused: the database is unavailable');
    await pauseFor(state, databaseRetryMs);
    return true;
  }
  if (error instanceof Superseded) {
    options.onSuperseded();
    refuse(state, [...pending.keys()], error);
    return false;
  }
  const [first, ...others] = arrivals;
  if (first !== undefined && others.length === 0) {
    refuse(state, [first.id], error);
    return true;
  }
  let hasProgress = false;
  for (const arrival of arrivals) hasProgress = (await write(state, [arrival])) || hasProgress;
  return hasProgress;
}

async function pauseFor({ stopping }: State, ms: number): Promise<void> {
  await pause(ms, undefined, { signal: stopping.signal }).catch(() => undefined);
}

function refuse(state: State, ids: Iterable<string>, error: unknown): void {
  settleWaiters(state, ids, ({ reject }) => reject(error));
}

function settleWaiters({ pending, options }: State, ids: Iterable<string>, settle: (waiter: Waiter) => void): void {
  for (const id of ids) {
    const waiting = pending.get(id)?.waiters ?? [];
    pending.delete(id);
    waiting.forEach(settle);
  }
  options.onWaiting(pending.size);
}
