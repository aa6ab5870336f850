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
  /** How many wait, now and whenever that changes. */
  readonly onWaiting: (count: number) => void;
  readonly onSuperseded: () => void;
};

/** Appends for as long as its token is the newest. */
export type Appender = {
  readonly append: Append;
  /** Resolves once nothing is being written; whatever still waits is refused, and the broker delivers it again. */
  readonly stop: () => Promise<void>;
};

type Pending = {
  readonly arrival: Arrival;
  /** The same message may be delivered again before it is appended. */
  readonly settle: { readonly resolve: () => void; readonly reject: (error: unknown) => void }[];
};

const batchMax = 2_000;
/** What was left to this process arrives in any order, so it is gathered first and put in the order of its making. */
const gatheringMs = 100;
const databaseAwayPauseMs = 500;

/** Collects what arrives while the batch before is written, and keeps the order of arrival whatever happens. */
export function createAppender(options: AppenderOptions): Appender {
  const { clock, onWaiting } = options;
  const pending = new Map<string, Pending>();
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isFirst = true;

  const settle = (ids: Iterable<string>, outcome: (settle: Pending['settle'][number]) => void): void => {
    for (const id of ids) {
      const { settle: waiting = [] } = pending.get(id) ?? {};
      pending.delete(id);
      waiting.forEach(outcome);
    }
    onWaiting(pending.size);
  };

  const refuse = (ids: Iterable<string>, error: unknown): void => settle(ids, ({ reject }) => reject(error));

  const write = async (arrivals: readonly Arrival[]): Promise<boolean> => {
    try {
      await options.prepare();
      const batch = await options.database.inTransaction((tx) => appendBatch(options, tx, arrivals));
      settle(batch.doneIds, ({ resolve }) => resolve());
      if (batch.doneIds.size > 0) options.onAppended(batch);
      return batch.doneIds.size > 0;
    } catch (error) {
      return recover(arrivals, error);
    }
  };

  /** One message that cannot be written must not keep its neighbours from being written. */
  const recover = async (arrivals: readonly Arrival[], error: unknown): Promise<boolean> => {
    if (isAppError(error, 'SERVICE_UNAVAILABLE')) {
      options.log.warn({ error: error.cause, waiting: pending.size }, 'events wait for the database');
      await pause(databaseAwayPauseMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      return true;
    }
    if (error instanceof Superseded) {
      options.onSuperseded();
      refuse([...pending.keys()], error);
      return false;
    }
    const [first] = arrivals;
    if (arrivals.length === 1 && first !== undefined) {
      refuse([first.id], error);
      return true;
    }
    let isAnyDone = false;
    for (const arrival of arrivals) isAnyDone = (await write([arrival])) || isAnyDone;
    return isAnyDone;
  };

  /** Goes on as long as something can be written; what is held back is looked at again when it no longer has to wait. */
  const run = async (): Promise<void> => {
    if (isFirst) await pause(gatheringMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    let hasMoved = true;
    while (pending.size > 0 && hasMoved && !stopping.signal.aborted) {
      const before = pending.size;
      const arrivals = [...pending.values()].slice(0, batchMax).map(({ arrival }) => arrival);
      hasMoved = await write(isFirst ? arrivals.sort(byMaking) : arrivals);
      isFirst = false;
      hasMoved ||= pending.size > before;
    }
    running = undefined;
    if (pending.size === 0 || stopping.signal.aborted) return;
    const nextMs = Math.min(...[...pending.values()].map(({ arrival }) => arrival.heldUntilMs));
    timer = setTimeout(start, Math.max(1, nextMs - clock.epochMs()));
  };

  const start = (): void => {
    clearTimeout(timer);
    if (!stopping.signal.aborted) running ??= new Promise(setImmediate).then(run);
  };

  return {
    append: (arrival) =>
      new Promise((resolve, reject) => {
        if (stopping.signal.aborted) {
          reject(new Superseded());
          return;
        }
        const known = pending.get(arrival.id) ?? { arrival, settle: [] };
        known.settle.push({ resolve, reject });
        pending.set(arrival.id, known);
        onWaiting(pending.size);
        start();
      }),
    stop: async () => {
      stopping.abort();
      clearTimeout(timer);
      await running;
      refuse([...pending.keys()], new Superseded());
    },
  };
}

function byMaking(one: Arrival, other: Arrival): number {
  if (one.message.occurredAt === other.message.occurredAt) return 0;
  return one.message.occurredAt < other.message.occurredAt ? -1 : 1;
}
