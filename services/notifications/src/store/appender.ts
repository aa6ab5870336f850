import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '@holdfast/shared/context';
import { isAppError } from '@holdfast/shared/errors';
import type { Database } from '@holdfast/shared/postgres';
import type { Append, Arrival } from '../use-cases/ports.js';
import { Superseded, appendBatch, type AppendedBatch, type BatchDeps } from './append-batch.js';

export type AppenderOptions = BatchDeps & {
  readonly database: Pick<Database, 'inTransaction'>;
  readonly log: Log;
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
  /** Resolves once nothing is being written; whatever still waits is refused, and the broker delivers it again. */
  readonly stop: () => Promise<void>;
};

type Settle = { readonly resolve: () => void; readonly reject: (error: unknown) => void };

/** The same message may be delivered again before it is appended. */
type Pending = { readonly arrival: Arrival; readonly settle: Settle[] };

type State = {
  readonly options: AppenderOptions;
  readonly pending: Map<string, Pending>;
  readonly stopping: AbortController;
  running: Promise<void> | undefined;
  timer: NodeJS.Timeout | undefined;
  isFirst: boolean;
};

const batchMax = 2_000;
/** What was left to this process arrives in any order, so it is gathered first and put in the order of its making. */
const gatheringMs = 100;
const databaseAwayPauseMs = 500;

/** Collects what arrives while the batch before is written, and keeps the order of arrival whatever happens. */
export function createAppender(options: AppenderOptions): Appender {
  const stopping = new AbortController();
  const state: State = { options, pending: new Map(), stopping, running: undefined, timer: undefined, isFirst: true };
  return {
    append: (arrival) =>
      new Promise((resolve, reject) => {
        if (stopping.signal.aborted) reject(new Superseded());
        else take(state, arrival, { resolve, reject });
      }),
    stop: async () => {
      stopping.abort();
      clearTimeout(state.timer);
      await state.running;
      refuse(state, [...state.pending.keys()], new Superseded());
    },
  };
}

function take(state: State, arrival: Arrival, settle: Settle): void {
  const { pending, options } = state;
  const known = pending.get(arrival.id) ?? { arrival, settle: [] };
  known.settle.push(settle);
  pending.set(arrival.id, known);
  options.onWaiting(pending.size);
  start(state);
}

function start(state: State): void {
  clearTimeout(state.timer);
  if (!state.stopping.signal.aborted) state.running ??= new Promise(setImmediate).then(() => run(state));
}

/** Goes on as long as something can be written; what is held back is looked at again when it no longer has to wait. */
async function run(state: State): Promise<void> {
  const { pending, stopping, options } = state;
  if (state.isFirst) await rest(state, gatheringMs);
  let hasMoved = true;
  while (pending.size > 0 && hasMoved && !stopping.signal.aborted) {
    const before = pending.size;
    hasMoved = (await write(state, nextBatch(state))) || pending.size > before;
  }
  state.running = undefined;
  if (pending.size === 0 || stopping.signal.aborted) return;
  const nextMs = Math.min(...[...pending.values()].map(({ arrival }) => arrival.heldUntilMs));
  state.timer = setTimeout(() => start(state), Math.max(1, nextMs - options.clock.epochMs()));
}

function nextBatch(state: State): readonly Arrival[] {
  const arrivals = [...state.pending.values()].slice(0, batchMax).map(({ arrival }) => arrival);
  if (state.isFirst) arrivals.sort(byMaking);
  state.isFirst = false;
  return arrivals;
}

function byMaking(one: Arrival, other: Arrival): number {
  if (one.message.occurredAt === other.message.occurredAt) return 0;
  return one.message.occurredAt < other.message.occurredAt ? -1 : 1;
}

/** Whether anything has changed, so that it is worth to look again. */
async function write(state: State, arrivals: readonly Arrival[]): Promise<boolean> {
  const { options } = state;
  try {
    await options.prepare();
    const batch = await options.database.inTransaction((tx) => appendBatch(options, tx, arrivals));
    settle(state, batch.doneIds, ({ resolve }) => resolve());
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
    options.log.warn({ error: error.cause, waiting: pending.size }, 'events wait for the database');
    await rest(state, databaseAwayPauseMs);
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

async function rest({ stopping }: State, ms: number): Promise<void> {
  await pause(ms, undefined, { signal: stopping.signal }).catch(() => undefined);
}

function refuse(state: State, ids: Iterable<string>, error: unknown): void {
  settle(state, ids, ({ reject }) => reject(error));
}

function settle({ pending, options }: State, ids: Iterable<string>, outcome: (settle: Settle) => void): void {
  for (const id of ids) {
    const waiting = pending.get(id)?.settle ?? [];
    pending.delete(id);
    waiting.forEach(outcome);
  }
  options.onWaiting(pending.size);
}
