import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { backoffMs } from '@holdfast/kernel/async';
import type { Log } from '@holdfast/kernel/context';
import type { Database } from '@holdfast/postgres';
import type { Job } from '@holdfast/work';
import { createBatcher, type Batcher } from '../batching/index.js';
import { repeated, type Broker } from '../broker/index.js';
import { defaultLimits, type RelayLimits } from './limits.js';
import { publishOutboxRows, type OutboxRow } from './publish-outbox-rows.js';
import { createSweeper } from './sweeper.js';

/** Not a commit that a caller waits for: a delete that is lost in a crash causes one more publish, which the inbox deduplicates. */
const deleteRowsMax = 1_000;
const deletesInFlightMax = 2;
const deletesWaitingMax = 50_000;
const retries = { firstDelayMs: 100 } as const;

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

export type Backlog = {
  /** Rows that are deleted once published, and the age of the oldest. */
  readonly rows: number;
  readonly lagSeconds: number;
  /** Messages that not all consumers have acknowledged, and the age of the oldest. */
  readonly unacknowledged: number;
  readonly unacknowledgedSeconds: number;
  /** Messages of the service's queue that wait for an operator. */
  readonly parked: number;
};

/**
 * The only caller of `Broker.publish`. Every committed message is published at least once; one that is acknowledged, until every
 * consumer has done so.
 */
export type Relay = {
  /** Publishes the rows of a transaction that has just been committed. Returns at once and never throws. */
  readonly handOver: (rows: readonly OutboxRow[]) => void;
  readonly limits: RelayLimits;
  /** Publishes what a dead process left, and what was not acknowledged. */
  readonly job: Job;
  /** Waits, within a time limit, for the rows that were handed over; the others are left to the sweepers of other processes. */
  readonly stop: () => Promise<void>;
  readonly counters: () => RelayCounters;
  /** What waits in the schema of the service; the outbox is counted up to a limit. */
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
  const job = createSweeper({
    ...options,
    limits,
    onDone: (row) => deleteIfDone(parts, row),
    onPublished: onSweptCounter(counts),
    onFailure: onFailureCounter(counts),
  });
  return {
    limits,
    handOver: (rows) => handOver(parts, rows),
    job,
    stop: async () => {
      stopping.abort();
      const drained = Promise.all(parts.publishing).then(() => parts.deleting.drain());
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

function handOver(parts: Parts, rows: readonly OutboxRow[]): void {
  const { counts, limits, publishing } = parts;
  const messages = rows.reduce((count, { envelopes }) => count + envelopes.length, 0);
  counts.handedOver += messages;
  if (counts.inMemory + messages > limits.messagesInMemoryMax) {
    counts.overflowed += messages;
    return;
  }
  counts.inMemory += messages;
  const work: Promise<void> = publishWithRetries(parts, rows).finally(() => {
    counts.inMemory -= messages;
    publishing.delete(work);
  });
  publishing.add(work);
}

/** Retries each row until a sweeper may take it. The broker driver batches concurrent calls. */
async function publishWithRetries(parts: Parts, rows: readonly OutboxRow[]): Promise<void> {
  const { counts, limits, stopping } = parts;
  const startedAt = performance.now();
  const isDueAfter = ({ awaitsAcknowledgement }: OutboxRow, pauseMs: number): boolean =>
    performance.now() + pauseMs > startedAt + (awaitsAcknowledgement ? limits.resendAfterMs : limits.sweepAfterMs);
  let unpublished = await publishRows(parts, rows);
  for (let attempt = 1; unpublished.length > 0; attempt += 1) {
    counts.failures += 1;
    const pauseMs = backoffMs(attempt, retries);
    unpublished = unpublished.filter((row) => !isDueAfter(row, pauseMs));
    if (stopping.signal.aborted || unpublished.length === 0) return;
    await pause(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    unpublished = await publishRows(parts, unpublished.map(asRepeated));
  }
}

/** The broker may have a message whose publication it did not confirm. */
function asRepeated(row: OutboxRow): OutboxRow {
  return { ...row, ...repeated };
}

/** Returns the rows that were not published. */
async function publishRows(parts: Parts, rows: readonly OutboxRow[]): Promise<readonly OutboxRow[]> {
  const results = await publishOutboxRows(parts.options.broker, rows);
  const isPublished = (_: OutboxRow, index: number): boolean => results[index]?.status === 'fulfilled';
  for (const row of rows.filter(isPublished)) {
    parts.counts.published += row.envelopes.length;
    deleteIfDone(parts, row);
  }
  return rows.filter((row, index) => !isPublished(row, index));
}

/** A row that awaits acknowledgements stays, and is due again at the time that was set when it was inserted or taken. */
function deleteIfDone(parts: Parts, { id, awaitsAcknowledgement }: OutboxRow): void {
  if (!awaitsAcknowledgement) deleteSoon(parts, id);
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
  select
    count(*) filter (where awaits is null)::int as rows,
    ${ageSeconds('awaits is null')} as "lagSeconds",
    count(*) filter (where awaits is not null)::int as unacknowledged,
    ${ageSeconds('awaits is not null')} as "unacknowledgedSeconds",
    (select count(*) from parked_messages)::int as parked
  from (
    select created_at, awaits
    from outbox
    order by id
    limit $1
  ) as waiting`;

function ageSeconds(condition: string): string {
  return `coalesce(extract(epoch from now() - min(created_at) filter (where ${condition})), 0)::float8`;
}

const noBacklog: Backlog = { rows: 0, lagSeconds: 0, unacknowledged: 0, unacknowledgedSeconds: 0, parked: 0 };

async function readBacklog({ pool }: Pick<Database, 'pool'>): Promise<Backlog> {
  const { rows } = await pool.query<Backlog>({ text: selectBacklog, values: [backlogRowsMax] });
  return rows[0] ?? noBacklog;
}
