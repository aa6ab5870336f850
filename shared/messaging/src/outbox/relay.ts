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

/** Deletes wait for company: one that is lost costs a message told twice, which every consumer is used to. */
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

/** Since the process began. */
export type RelayCounters = {
  readonly handedOver: number;
  readonly published: number;
  /** Published in place of a process that could not. */
  readonly swept: number;
  readonly failures: number;
  /** Handed over while there was no room in memory. */
  readonly overflowed: number;
  readonly inMemory: number;
};

export type Backlog = { readonly rows: number; readonly lagSeconds: number };

/** The only one who publishes. What is committed is told at least once, whoever dies when. */
export type Relay = {
  /** Publishes a row that has just been committed. Returns at once and never throws. */
  readonly handOver: (rowId: bigint, envelopes: readonly Envelope[]) => void;
  readonly limits: RelayLimits;
  /** Begins to sweep. */
  readonly start: () => void;
  /** Waits, within a limit, for what was handed over; the rest is left to the sweepers of other replicas and later starts. */
  readonly stop: () => Promise<void>;
  readonly counters: () => RelayCounters;
  /** What waits in the database, counted up to a limit, and how long the oldest row has waited. */
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
  setMaxListeners(0, stopping.signal); // every row that waits for its next try listens
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

/** Tries for as long as the row is this process's own; then the sweepers have it. The broker puts rows together. */
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

/** A row that is not deleted is published once more when its time has come. */
function deleteSoon({ deleting, options }: Parts, rowId: bigint): void {
  deleting.submit(rowId).catch((error: unknown) => {
    options.log.debug({ err: error, outboxRow: rowId }, 'a published outbox row was not deleted');
  });
}

// The commit of a delete need not wait for the disk: if it is lost in a crash, the row is published once more.
const deletePublished = {
  name: 'delete-published',
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
