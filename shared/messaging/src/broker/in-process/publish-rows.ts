import { withTimeout } from '@holdfast/kernel/async';
import type { Database } from '@holdfast/postgres';
import { repeated, type Broker, type BrokerEvent, type Publishing, type Topology } from '../broker.js';
import { reportPublish, serializeAll, type Failures, type Serialized } from '../publishing.js';
import { queuesByType } from '../topology.js';
import { insertDeliveries } from './statements.js';

export type PublishOptions = {
  readonly pool: Database['pool'];
  readonly topology: Topology;
  readonly publishTimeoutMs: number;
  /** Called after the commit with the queues that have new rows. */
  readonly onInserted: (queues: Iterable<string>) => void;
  readonly onEvent: (event: BrokerEvent) => void;
};

type Row = { readonly queue: string; readonly messageId: string; readonly type: string; readonly body: string };

/** Inserts one row per queue and message in one statement. A type without a queue is skipped. */
export function publishRows(options: PublishOptions): Broker['publish'] {
  const queues = queuesByType(options.topology);
  return async (envelopes, publishing = repeated) => {
    const consumed = envelopes.filter(({ type }) => queues.has(type));
    if (consumed.length === 0) return;
    const { serialized, failures } = serializeAll(consumed, publishing);
    const rows = serialized.flatMap((message) => toRows(message, queues));
    await insertInTime(options, rows, publishing, failures);
    reportPublish(consumed.length, failures, options.onEvent);
  };
}

export function redeliverRows(options: PublishOptions): Broker['redeliver'] {
  return async (queue, messages, publishing = repeated) => {
    const rows = messages.map(({ messageId, type, body }) => ({ queue, messageId, type, body: body.toString() }));
    const failures: Failures = new Map();
    await insertInTime(options, rows, publishing, failures);
    reportPublish(messages.length, failures, options.onEvent);
  };
}

/** Rows that may not be durable are reported in `failures`. */
async function insertInTime(
  { pool, publishTimeoutMs, onInserted }: PublishOptions,
  rows: readonly Row[],
  publishing: Publishing,
  failures: Failures,
): Promise<void> {
  try {
    const notInTime = (): Error => new Error(`not durable within ${publishTimeoutMs} ms`);
    await withTimeout(insert(pool, rows, publishing), publishTimeoutMs, notInTime);
    onInserted(new Set(rows.map(({ queue }) => queue)));
  } catch (error) {
    const failure = error instanceof Error ? error : new Error(String(error));
    for (const { messageId } of rows) failures.set(messageId, failure);
  }
}

function toRows({ envelope, text }: Serialized, queues: ReadonlyMap<string, readonly string[]>): readonly Row[] {
  const { id, type } = envelope;
  return (queues.get(type) ?? []).map((queue) => ({ queue, messageId: id, type, body: text }));
}

/** A statement may insert each row only once. */
async function insert(pool: Database['pool'], given: readonly Row[], { isRepeated }: Publishing): Promise<void> {
  if (given.length === 0) return;
  const rows = [...new Map(given.map((row) => [`${row.queue} ${row.messageId}`, row])).values()];
  const column = (name: keyof Row): readonly string[] => rows.map((row) => row[name]);
  const columns = [column('queue'), column('messageId'), column('type'), column('body')];
  await pool.query({ ...insertDeliveries, values: [...columns, isRepeated] });
}
