import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '@holdfast/kernel/context';
import { isAppError } from '@holdfast/kernel/errors';
import type { Append, Arrival } from '../use-cases/ports.js';
import { Superseded, appendBatch, type AppendedBatch, type BatchDeps } from './append-batch.js';

export type AppenderOptions = BatchDeps & {
  readonly log: Log;
  /** The batch delay: how long the first message waits for others to share a commit with. */
  readonly batchDelayMs: number;
  /** Before each batch: makes sure that there is room for it. */
  readonly prepare: () => Promise<void>;
  readonly onAppended: (batch: AppendedBatch) => void;
  /** How many wait, whenever that changes. */
  readonly onWaiting: (count: number) => void;
  readonly onSuperseded: () => void;
};

/** Appends for as long as its token is the newest. */
export type Appender = {
  readonly append: Append;
  /**
   * What has been gathered is written at once. Resolves when nothing is being written; whatever still waits is refused then, and
   * the broker delivers it again.
   */
  readonly stop: () => Promise<void>;
};

type Waiter = { readonly resolve: () => void; readonly reject: (error: unknown) => void };

/** The same message may be delivered again before it is appended. */
type Pending = { readonly arrival: Arrival; readonly waiters: Waiter[] };

type State = {
  readonly options: AppenderOptions;
  readonly pending: Map<string, Pending>;
  readonly stopping: AbortController;
  /** How many have come since the last batch was put together. */
  arrivedSinceBatch: number;
  /** Ends the gathering. */
  endBatchDelay: () => void;
  running: Promise<void> | undefined;
  timer: NodeJS.Timeout | undefined;
  isFirst: boolean;
};

const batchMax = 2_000;
/** A batch of this size is written without waiting for more. */
const fullBatchSize = 500;
/** What was left to this process arrives in any order, so it is gathered first and put in the order of its making. */
const firstBatchDelayMs = 100;
/** Held events are looked at again at least this often. */
const recheckHeldBackMs = 200;
const databaseRetryMs = 500;

/** Collects for a moment, and while the batch before is written; keeps the order of arrival whatever happens. */
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

function enqueue(state: State, arrival: Arrival, settle: Waiter): void {
  const { pending, options } = state;
  const known = pending.get(arrival.id) ?? { arrival, waiters: [] };
  known.waiters.push(settle);
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

/** Goes on as long as something can be written; what is held back is looked at again when it may no longer have to wait. */
async function run(state: State): Promise<void> {
  const { pending, stopping, options } = state;
  let hasMoved = true;
  while (pending.size > 0 && (hasMoved || state.arrivedSinceBatch > 0)) {
    if (state.arrivedSinceBatch > 0) await waitForBatch(state);
    hasMoved = await write(state, nextBatch(state));
    if (stopping.signal.aborted && state.arrivedSinceBatch === 0) break;
  }
  state.running = undefined;
  if (pending.size === 0 || stopping.signal.aborted) return;
  const nowMs = options.clock.epochMs();
  const restsMs = [...pending.values()].flatMap(({ arrival }) => [arrival.heldUntilMs - nowMs, arrival.gapUntilMs - nowMs]);
  const restMs = Math.min(recheckHeldBackMs, ...restsMs.filter((ms) => ms > 0));
  state.timer = setTimeout(() => start(state), restMs);
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

/** Whether anything has changed, so that it is worth to look again. */
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

/** One message that cannot be written must not keep its neighbours from being written. */
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
  let hasMoved = false;
  for (const arrival of arrivals) hasMoved = (await write(state, [arrival])) || hasMoved;
  return hasMoved;
}

async function pauseFor({ stopping }: State, ms: number): Promise<void> {
  await pause(ms, undefined, { signal: stopping.signal }).catch(() => undefined);
}

function refuse(state: State, ids: Iterable<string>, error: unknown): void {
  settleWaiters(state, ids, ({ reject }) => reject(error));
}

function settleWaiters({ pending, options }: State, ids: Iterable<string>, outcome: (settle: Waiter) => void): void {
  for (const id of ids) {
    const waiting = pending.get(id)?.waiters ?? [];
    pending.delete(id);
    waiting.forEach(outcome);
  }
  options.onWaiting(pending.size);
}
