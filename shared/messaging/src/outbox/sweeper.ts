import type { Log } from '@holdfast/kernel/context';
import type { Envelope } from '@holdfast/contracts/messages';
import type { Database } from '@holdfast/postgres';
import { backoffInterval, claimDue, nextDue, readNextDue, type Job } from '@holdfast/work';
import { repeated, type Broker, type Publishing } from '../broker/index.js';
import type { RelayLimits } from './limits.js';
import { publishOutboxRows, type OutboxRow } from './publish-outbox-rows.js';

export type SweeperOptions = {
  readonly database: Pick<Database, 'pool'>;
  readonly broker: Pick<Broker, 'publish' | 'isHealthy'>;
  readonly log: Log;
  readonly limits: RelayLimits;
  /** Called with each published row. */
  readonly onDone: (row: OutboxRow) => void;
  readonly onPublished: (messages: number) => void;
  readonly onFailure: () => void;
};

/** The target size of one `publish` call; the messages of a row are never split. */
const publishMessagesMax = 1_000;
const unhealthyRetryMs = 1_000;

/**
 * A job that publishes rows which their own process did not publish, because it crashed or the broker was unavailable for too long. It also
 * publishes messages again that were not acknowledged.
 */
export function createSweeper(options: SweeperOptions): Job {
  const { database, broker, limits } = options;
  return {
    name: 'sweep-outbox',
    everyMs: limits.sweepEveryMs,
    run: (signal) => sweepAll(options, signal),
    nextDueInMs: () => (broker.isHealthy() ? readNextDue(database.pool, firstAvailable) : Promise.resolve(unhealthyRetryMs)),
  };
}

/**
 * Publishes batches until no row is due. Takes no lease while the broker is unavailable to this process, because other replicas may
 * reach it.
 */
async function sweepAll(options: SweeperOptions, signal: AbortSignal): Promise<void> {
  let rows: readonly OutboxRow[];
  do {
    if (signal.aborted || !options.broker.isHealthy()) return;
    rows = await takeDueRows(options);
    for (const chunk of chunksOf(rows)) await publishChunk(options, chunk);
  } while (rows.length === options.limits.sweepRowsMax);
}

const firstAvailable = nextDue({ name: 'next-outbox-row', table: 'outbox', where: 'true', dueAt: 'available_at' });

// The lease is committed before publishing, so that no network call runs inside a transaction and two sweepers never share a row. For
// a message that awaits acknowledgements, its end is the next time to send it.
const takeDue = claimDue({
  name: 'take-due-outbox-rows',
  table: 'outbox',
  where: 'available_at <= now()',
  orderBy: 'available_at',
  limit: '$1',
  set: `attempts = attempts + 1,
    available_at = now() + case
      when awaits is null then make_interval(secs => $2::float8)
      else ${backoffInterval({ attempts: 'attempts + 1', first: '$3::float8', max: '$4::float8' })}
    end`,
  returning: 'outbox.id, outbox.messages, outbox.awaits is not null as "awaitsAcknowledgement"',
});

/** The process that committed a row may have published it. */
async function takeDueRows({ database, limits }: SweeperOptions): Promise<readonly OutboxRow[]> {
  type Row = Omit<OutboxRow, 'envelopes' | keyof Publishing> & { readonly messages: string };
  const delays = [limits.leaseMs, limits.resendAfterMs, limits.resendAfterMsMax].map((ms) => ms / 1_000);
  const { rows } = await database.pool.query<Row>({ ...takeDue, values: [limits.sweepRowsMax, ...delays] });
  return rows.map(({ messages, ...row }) => ({ ...row, ...repeated, envelopes: JSON.parse(messages) as readonly Envelope[] }));
}

function chunksOf(rows: readonly OutboxRow[]): readonly (readonly OutboxRow[])[] {
  const chunks: OutboxRow[][] = [];
  let room = 0;
  for (const row of rows) {
    if (row.envelopes.length > room) {
      chunks.push([]);
      room = publishMessagesMax;
    }
    chunks.at(-1)?.push(row);
    room -= row.envelopes.length;
  }
  return chunks;
}

async function publishChunk(options: SweeperOptions, rows: readonly OutboxRow[]): Promise<void> {
  const results = await publishOutboxRows(options.broker, rows);
  const published = rows.filter((_, index) => results[index]?.status === 'fulfilled');
  options.onPublished(published.reduce((messages, row) => messages + row.envelopes.length, 0));
  for (const row of published) options.onDone(row);
  const failed = results.find((result) => result.status === 'rejected');
  if (failed === undefined) return;
  options.onFailure();
  await postpone(
    options,
    rows.filter((row) => !published.includes(row)),
  );
  throw failed.reason;
}

const postponeRows = `
  update outbox
  set available_at = now() + make_interval(secs => $2)
  where id = any($1)`;

/** Replaces the lease with a shorter delay. */
async function postpone({ database, limits, log }: SweeperOptions, rows: readonly OutboxRow[]): Promise<void> {
  log.warn({ rows: rows.length }, 'outbox rows could not be published');
  await database.pool.query({ text: postponeRows, values: [rows.map((row) => row.id), limits.retryAfterMs / 1_000] });
}
