import { randomInt } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '@holdfast/kernel/context';
import type { Envelope } from '@holdfast/contracts/messages';
import type { Database } from '@holdfast/postgres';
import { createBatcher, type Batcher } from '../batching/index.js';
import type { Broker } from '../broker/index.js';
import { defaultLimits, type RelayLimits } from './limits.js';
import { publishOutboxRows, type OutboxRow } from './publish-outbox-rows.js';
import { createSweeper } from './sweeper.js';

/** Deletes are batched. A delete that is lost in a crash causes one more publish, which the inbox deduplicates. */
const deleteRowsMax = 1_000;
const deletesInFlightMax = 2;
const deletesWaitingMax = 50_000;
const firstRetryMs = 100;

export type RelayOptions = {
  readonly database: Pick<Database, 'pool'>;
  readonly broker: Pick<Broker, 'publish' | 'isHealthy'>;
  readonly log: Log;
  readonly limits?: Partial<RelayLimits>;
};

/** Counts since the process started. */
export type RelayCounters = {
  readonly handedOver: number;
  readonly published: number;
  /** Published by the sweeper. */
  readonly swept: number;
  readonly failures: number;
  /** Left to the sweeper because `messagesInMemoryMax` was reached. */
  readonly overflowed: number;
  readonly inMemory: number;
};

export type Backlog = { readonly rows: number; readonly lagSeconds: number };

/** The only caller of `Broker.publish`. Every committed message is published at least once. */
export type Relay = {
  /** Publishes a row that has just been committed. Returns at once and never throws. */
  readonly handOver: (rowId: bigint, envelopes: readonly Envelope[]) => void;
  readonly limits: RelayLimits;
  /** Starts the sweeper. */
  readonly start: () => void;
  /** Waits, within a time limit, for the rows that were handed over; the others are left to the sweepers of other processes. */
  readonly stop: () => Promise<void>;
  readonly counters: () => RelayCounters;
  /** The number of rows in the outbox, counted up to a limit, and the age of the oldest. */
  readonly backlog: () => Promise<Backlog>;
};

type Counts = { -readonly [name in keyof RelayCounters]: number };

type Parts = {
  readonly options: RelayOptions;
  readonly limits: RelayLimits;
  readonly counts: Counts;
  readonly deleting: Batcher<bigint, undefined>;
  readonly publishing: Set<Promise<void>>;
  readonly stopping: AbortController;
};

export function createRelay(options: RelayOptions): Relay {
  const parts = build(options);
  const { limits, counts, stopping } = parts;
  const sweeper = createSweeper({
    ...options,
    limits,
    onDone: (rowId) => deleteSoon(parts, rowId),
    onPublished: onSweptCounter(counts),
    onFailure: onFailureCounter(counts),
  });
  return {
    limits,
    handOver: (rowId, envelopes) => handOver(parts, { id: rowId, envelopes }),
    start: () => sweeper.start(stopping.signal),
    stop: async () => {
      stopping.abort();
      const drained = Promise.all([sweeper.stopped(), Promise.all(parts.publishing)]).then(() => parts.deleting.drain());
      await Promise.race([drained, pause(limits.drainTimeoutMs, undefined, { ref: false })]);
    },
    counters: () => ({ ...counts }),
    backlog: () => readBacklog(options.database),
  };
}

function build(options: RelayOptions): Parts {
  const limits = { ...defaultLimits, ...options.limits };
  const deleting = createBatcher<bigint, undefined>({
    run: (rowIds) => deleteRows(options.database, rowIds),
    sizeMax: deleteRowsMax,
    batchDelayMs: limits.deleteEveryMs,
    batchSpacingMs: limits.deleteEveryMs,
    inFlightMax: deletesInFlightMax,
    waitingMax: deletesWaitingMax,
    overflow: () => new Error('too many published rows wait to be deleted'),
  });
  const counts: Counts = { handedOver: 0, published: 0, swept: 0, failures: 0, overflowed: 0, inMemory: 0 };
  const stopping = new AbortController();
  setMaxListeners(0, stopping.signal); // each row that waits for a retry adds a listener
  return { options, limits, counts, deleting, publishing: new Set(), stopping };
}

const onSweptCounter = (counts: Counts) => (messages: number) => {
  counts.swept += messages;
  counts.published += messages;
};

const onFailureCounter = (counts: Counts) => () => {
  counts.failures += 1;
};

function handOver(parts: Parts, row: OutboxRow): void {
  const { counts, limits, publishing } = parts;
  counts.handedOver += row.envelopes.length;
  if (counts.inMemory + row.envelopes.length > limits.messagesInMemoryMax) {
    counts.overflowed += row.envelopes.length;
    return;
  }
  counts.inMemory += row.envelopes.length;
  const work: Promise<void> = publishWithRetries(parts, row).finally(() => {
    counts.inMemory -= row.envelopes.length;
    publishing.delete(work);
  });
  publishing.add(work);
}

/** Retries until `sweepAfterMs`; then the sweepers publish the row. The broker driver batches concurrent rows. */
async function publishWithRetries(parts: Parts, row: OutboxRow): Promise<void> {
  const { options, counts, limits, stopping } = parts;
  const deadline = performance.now() + limits.sweepAfterMs;
  for (let retryMs = firstRetryMs; !(await isPublished(options.broker, row)); retryMs *= 2) {
    counts.failures += 1;
    if (stopping.signal.aborted || performance.now() + retryMs > deadline) return;
    await pause(randomInt(retryMs / 2, retryMs + 1), undefined, { signal: stopping.signal }).catch(() => undefined);
  }
  counts.published += row.envelopes.length;
  deleteSoon(parts, row.id);
}

async function isPublished(broker: RelayOptions['broker'], row: OutboxRow): Promise<boolean> {
  const [result] = await publishOutboxRows(broker, [row]);
  return result?.status === 'fulfilled';
}

/** A row that is not deleted is published again by a sweeper after `sweepAfterMs`. */
function deleteSoon({ deleting, options }: Parts, rowId: bigint): void {
  deleting.submit(rowId).catch((error: unknown) => {
    options.log.debug({ err: error, outboxRow: rowId }, 'a published outbox row was not deleted');
  });
}

// The commit is asynchronous, because a delete lost in a crash of the server only causes one more publish.
const deletePublished = {
  name: 'delete-published-outbox-rows',
  text: `
  with asynchronous_commit as (
    select set_config('synchronous_commit', 'off', true)
  )
  delete from outbox
  using asynchronous_commit
  where id = any($1)`,
};

async function deleteRows(
  { pool }: Pick<Database, 'pool'>,
  rowIds: readonly bigint[],
): Promise<readonly PromiseSettledResult<undefined>[]> {
  await pool.query({ ...deletePublished, values: [rowIds] });
  return rowIds.map(() => ({ status: 'fulfilled', value: undefined }));
}

const backlogRowsMax = 100_000;

const selectBacklog = `
  select count(*)::int as rows, coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as "lagSeconds"
  from (
    select created_at
    from outbox
    order by id
    limit $1
  ) as waiting`;

async function readBacklog({ pool }: Pick<Database, 'pool'>): Promise<Backlog> {
  const { rows } = await pool.query<Backlog>({ text: selectBacklog, values: [backlogRowsMax] });
  return rows[0] ?? { rows: 0, lagSeconds: 0 };
}
