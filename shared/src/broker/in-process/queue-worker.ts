import type { PoolClient } from 'pg';
import type { Clock, Log } from '../../context/index.js';
import type { BrokerEvent, Subscription } from '../broker.js';
import { trackHandlers, type RunningHandlers } from '../running-handlers.js';
import { handleRow, type Handler, type Row } from './handle-row.js';
import type { Outcome, Outcomes } from './outcomes.js';
import type { Ownership } from './ownership.js';
import { selectDue, selectNextDue } from './statements.js';

export type QueueWorkerOptions = {
  readonly queue: string;
  readonly ownership: Ownership;
  readonly outcomes: Outcomes;
  readonly ladderMs: readonly number[];
  readonly drainTimeoutMs: number;
  readonly clock: Clock;
  readonly log: Log;
  readonly onEvent: (event: BrokerEvent) => void;
};

/** Delivers the messages of one queue. Queues know nothing of each other, so none can hold up another. */
export type QueueWorker = {
  /** Messages that have just become durable. */
  readonly offer: (rows: readonly Row[]) => void;
  /** Looks into the table, where there may be messages that were never offered. */
  readonly look: () => void;
  readonly consume: (prefetch: number, handler: Handler) => Subscription;
  /** The outcome stands in the table: the message is no longer in memory's care. */
  readonly noteWritten: (outcome: Outcome) => void;
  /** Forgets what has not begun; somebody else may deliver it now. */
  readonly forget: () => void;
  readonly stop: () => Promise<void>;
};

type Consumer = { readonly prefetch: number; readonly handler: Handler; readonly handlers: RunningHandlers; running: number };

type State = {
  readonly options: QueueWorkerOptions;
  readonly consumers: Set<Consumer>;
  readonly ready: Map<string, Row>;
  /** Being handled, or handled with the outcome not yet written. */
  readonly busy: Set<string>;
  /** Whether the table may hold due messages that memory does not. */
  isBehind: boolean;
  isLooking: boolean;
  /** Finished while a look was under way, which may have seen them still. */
  readonly finishedMeanwhile: Set<string>;
  nextLook: { readonly timer: NodeJS.Timeout; readonly atMs: number } | undefined;
};

/** Messages of one queue in memory; more stay in the table until there is room. */
const memoryMax = 2_000;
const lookRowsMax = 500;
const lookWhenBelow = 100;
/** The safety net for whatever was not offered. */
const sweepMs = 5_000;

export function createQueueWorker(options: QueueWorkerOptions): QueueWorker {
  const state: State = {
    options,
    consumers: new Set(),
    ready: new Map(),
    busy: new Set(),
    isBehind: true,
    isLooking: false,
    finishedMeanwhile: new Set(),
    nextLook: undefined,
  };
  return {
    offer: (rows) => offer(state, rows),
    look: () => {
      state.isBehind = true;
      dispatch(state);
    },
    consume: (prefetch, handler) => consume(state, prefetch, handler),
    noteWritten: (outcome) => noteWritten(state, outcome),
    forget: () => forget(state),
    stop: async () => {
      await Promise.all([...state.consumers].map((consumer) => stopConsumer(state, consumer)));
    },
  };
}

function offer(state: State, rows: readonly Row[]): void {
  for (const row of rows) {
    const hasRoom = state.ready.size + state.busy.size < memoryMax;
    if (state.isBehind || !hasRoom || !isDelivering(state)) state.isBehind = true;
    else keep(state, row);
  }
  dispatch(state);
}

function keep(state: State, row: Row): void {
  if (!state.busy.has(row.messageId)) state.ready.set(row.messageId, row);
}

function isDelivering({ consumers, options }: State): boolean {
  return consumers.size > 0 && options.ownership.session() !== undefined;
}

/** Starts as many handlers as may run, and looks for more messages when memory runs low. */
function dispatch(state: State): void {
  if (!isDelivering(state)) return;
  for (const row of state.ready.values()) {
    const consumer = [...state.consumers].find(({ running, prefetch }) => running < prefetch);
    if (consumer === undefined) break;
    state.ready.delete(row.messageId);
    state.busy.add(row.messageId);
    consumer.running += 1;
    consumer.handlers.add(run(state, consumer, row));
  }
  if (state.isBehind && state.ready.size < lookWhenBelow) startLook(state);
}

async function run(state: State, consumer: Consumer, row: Row): Promise<void> {
  const verdict = await handleRow(state.options, consumer.handler, row);
  consumer.running -= 1;
  state.options.outcomes.add({ queue: state.options.queue, messageId: row.messageId, verdict });
  dispatch(state);
}

function noteWritten(state: State, { messageId, verdict }: Outcome): void {
  state.busy.delete(messageId);
  if (state.isLooking) state.finishedMeanwhile.add(messageId);
  if (verdict.kind === 'retry') lookIn(state, verdict.delayMs);
}

function startLook(state: State): void {
  const { ownership } = state.options;
  const session = ownership.session();
  if (state.isLooking || session === undefined) return;
  state.isLooking = true;
  state.isBehind = false;
  look(state, session)
    .catch((error: unknown) => {
      state.isBehind = true;
      ownership.giveUp(session, error);
    })
    .finally(() => {
      state.isLooking = false;
      state.finishedMeanwhile.clear();
      dispatch(state);
    });
}

type DueRow = { readonly message_id: string; readonly type: string; readonly body: string; readonly attempts: number };

async function look(state: State, session: PoolClient): Promise<void> {
  const { queue, clock, ownership } = state.options;
  const now = clock.now();
  const inMemory = [...state.ready.keys(), ...state.busy];
  const due = await ownership.inTurn(() => session.query<DueRow>(selectDue, [queue, now, inMemory, lookRowsMax]));
  if (ownership.session() !== session) return;
  for (const { message_id: messageId, type, body, attempts } of due.rows) {
    if (!state.finishedMeanwhile.has(messageId)) keep(state, { messageId, type, body, attempts });
  }
  if (due.rows.length === lookRowsMax) state.isBehind = true;
  const next = await ownership.inTurn(() => session.query<{ readonly in_ms: number | null }>(selectNextDue, [queue, now]));
  lookIn(state, next.rows[0]?.in_ms ?? sweepMs);
}

/** One timer per queue, for the earliest look. */
function lookIn(state: State, delayMs: number): void {
  if (state.consumers.size === 0) return; // the next one begins with a look
  const atMs = performance.now() + Math.min(delayMs, sweepMs);
  if (state.nextLook !== undefined && state.nextLook.atMs <= atMs) return;
  clearTimeout(state.nextLook?.timer);
  const timer = setTimeout(
    () => {
      state.nextLook = undefined;
      state.isBehind = true;
      dispatch(state);
    },
    Math.min(delayMs, sweepMs),
  );
  state.nextLook = { timer, atMs };
}

function consume(state: State, prefetch: number, handler: Handler): Subscription {
  const consumer: Consumer = { prefetch, handler, handlers: trackHandlers(), running: 0 };
  state.consumers.add(consumer);
  state.isBehind = true;
  dispatch(state);
  return { stop: () => stopConsumer(state, consumer) };
}

async function stopConsumer(state: State, consumer: Consumer): Promise<void> {
  const { queue, drainTimeoutMs, log } = state.options;
  state.consumers.delete(consumer);
  if (state.consumers.size === 0) forget(state);
  if (await consumer.handlers.endWithin(drainTimeoutMs)) return;
  log.warn(
    { queue, handlers: consumer.running, drainTimeoutMs },
    'handlers still run; their messages are delivered again unless they end',
  );
}

function forget(state: State): void {
  state.ready.clear();
  state.isBehind = true;
  clearTimeout(state.nextLook?.timer);
  state.nextLook = undefined;
}
