import { createCommitBatcher, type Batcher, type Results } from '@holdfast/messaging/batching';
import { createSemaphore, retry } from '@holdfast/kernel/async';
import type { Log } from '@holdfast/kernel/context';
import { isAppError } from '@holdfast/kernel/errors';
import type { Append, Arrival } from '../use-cases/ports.js';
import { Superseded, createAppendBatch, type AppendBatch, type AppendedBatch, type BatchDeps } from './append-batch.js';

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

/** A message can be redelivered before it is appended; then both deliveries wait for `done`. */
type Pending = {
  readonly arrival: Arrival;
  readonly done: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
};

type State = {
  readonly options: AppenderOptions;
  readonly appendBatch: AppendBatch;
  readonly pending: Map<string, Pending>;
  /** Pending messages that are in no batch. They are submitted again together, in the order of their arrival. */
  readonly heldBack: Set<Pending>;
  /** Whether the message was appended; otherwise it is held back. */
  readonly batcher: Batcher<Arrival, boolean>;
  timer: NodeJS.Timeout | undefined;
  /** When the timer ends, in the time of `performance.now()`. */
  submitsAtMs: number;
  isFirst: boolean;
  isStopping: boolean;
};

/** One batch at a time, so that the log keeps the order of arrival. The prefetch of the consumer limits what is pending. */
const limits = { sizeMax: 1_000, batchDelayMs: 0, inFlightMax: 1, waitingMax: 10_000 } as const;
/**
 * After a change of the leader the backlog arrives in any order, so the first batch waits longer and is sorted by `occurredAt`.
 */
const firstBatchDelayMs = 100;
/** Maximum time between two checks of the messages that are held back. */
const recheckHeldBackMs = 200;
const databaseRetries = { attemptsMax: Number.POSITIVE_INFINITY, firstDelayMs: 500, delayMsMax: 500 } as const;

/** A batch has the messages that arrive within the batch delay and while the previous batch is written, in the order of arrival. */
export function createAppender(options: AppenderOptions): Appender {
  // A batch that fails as a whole is committed message by message, and those must not overtake each other either.
  const writing = createSemaphore({ runningMax: 1 });
  const state: State = {
    options,
    appendBatch: createAppendBatch(options),
    pending: new Map(),
    heldBack: new Set(),
    batcher: createCommitBatcher<Arrival, boolean>({
      ...limits,
      batchSpacingMs: options.batchDelayMs,
      commit: (arrivals) => writing.run(() => write(state, arrivals)),
    }),
    timer: undefined,
    submitsAtMs: Number.POSITIVE_INFINITY,
    isFirst: true,
    isStopping: false,
  };
  return { append: (arrival) => append(state, arrival), stop: () => stop(state) };
}

function append(state: State, arrival: Arrival): Promise<void> {
  if (state.isStopping) return Promise.reject(new Superseded());
  const known = state.pending.get(arrival.id);
  if (known !== undefined) return known.done;
  const pending = toPending(arrival);
  state.pending.set(arrival.id, pending);
  state.options.onWaiting(state.pending.size);
  if (state.isFirst) holdBack(state, pending, firstBatchDelayMs);
  else submit(state, pending);
  return pending.done;
}

function toPending(arrival: Arrival): Pending {
  let [resolve, reject]: [Pending['resolve'], Pending['reject']] = [() => undefined, () => undefined];
  const done = new Promise<void>((onDone, onError) => {
    [resolve, reject] = [onDone, onError];
  });
  return { arrival, done, resolve, reject };
}

function submit(state: State, pending: Pending): void {
  state.batcher.submit(pending.arrival).then(
    (isAppended) => {
      if (isAppended) settleAppended(state, pending);
      else holdBack(state, pending, recheckMsOf(state, pending.arrival));
    },
    (error: unknown) => settle(state, pending, () => pending.reject(state.isStopping ? new Superseded() : error)),
  );
}

/** It may be what others wait for. */
function settleAppended(state: State, pending: Pending): void {
  settle(state, pending, pending.resolve);
  if (state.heldBack.size > 0) submitHeldBackIn(state, 0);
}

function settle({ pending: all, options }: State, { arrival }: Pending, end: () => void): void {
  all.delete(arrival.id);
  options.onWaiting(all.size);
  end();
}

function holdBack(state: State, pending: Pending, waitMs: number): void {
  state.heldBack.add(pending);
  submitHeldBackIn(state, waitMs);
}

/** Until its waiting time ends, or for a while. */
function recheckMsOf({ options }: State, { heldUntilMs, gapUntilMs }: Arrival): number {
  const nowMs = options.clock.epochMs();
  return Math.min(recheckHeldBackMs, ...[heldUntilMs - nowMs, gapUntilMs - nowMs].filter((ms) => ms > 0));
}

function submitHeldBackIn(state: State, waitMs: number): void {
  const atMs = performance.now() + waitMs;
  if (state.isStopping || atMs >= state.submitsAtMs) return;
  clearTimeout(state.timer);
  state.submitsAtMs = atMs;
  state.timer = setTimeout(() => submitHeldBack(state), waitMs);
}

function submitHeldBack(state: State): void {
  const waiting = [...state.heldBack];
  state.heldBack.clear();
  state.submitsAtMs = Number.POSITIVE_INFINITY;
  if (state.isFirst) waiting.sort(byOccurredAt);
  state.isFirst = false;
  for (const pending of waiting) submit(state, pending);
}

function byOccurredAt({ arrival: one }: Pending, { arrival: other }: Pending): number {
  if (one.message.occurredAt === other.message.occurredAt) return 0;
  return one.message.occurredAt < other.message.occurredAt ? -1 : 1;
}

/** A batch can be repeated after any error: what was committed is in the inbox. While the database is unavailable it waits. */
async function write(state: State, arrivals: readonly Arrival[]): Promise<Results<boolean>> {
  const { options, appendBatch, pending } = state;
  const writeOnce = async (): Promise<AppendedBatch> => {
    await options.prepare();
    return appendBatch(arrivals);
  };
  try {
    const batch = await retry(writeOnce, {
      ...databaseRetries,
      shouldRetry: (error) => !state.isStopping && isAppError(error, 'SERVICE_UNAVAILABLE'),
      onRetry: (error) => options.log.warn({ error, waiting: pending.size }, 'appending is paused: the database is unavailable'),
    });
    if (batch.doneIds.size > 0) options.onAppended(batch);
    return arrivals.map(({ id }) => ({ status: 'fulfilled', value: batch.doneIds.has(id) }));
  } catch (reason) {
    if (!(reason instanceof Superseded)) throw reason;
    options.onSuperseded();
    return arrivals.map(() => ({ status: 'rejected', reason }));
  }
}

async function stop(state: State): Promise<void> {
  state.isStopping = true;
  clearTimeout(state.timer);
  if (state.isFirst) submitHeldBack(state);
  await state.batcher.drain();
  for (const pending of [...state.pending.values()]) settle(state, pending, () => pending.reject(new Superseded()));
}
