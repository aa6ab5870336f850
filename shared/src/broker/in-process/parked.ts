import type { ConnectionPool as Pool } from '../../postgres/index.js';
import type { Clock } from '../../context/index.js';
import type { ParkedMessage } from '../broker.js';
import { readableBody } from '../envelope.js';
import { redriveParked as redrive, selectParked } from './statements.js';

const listMax = 1_000;

type ParkedRow = {
  readonly message_id: string;
  readonly type: string;
  readonly body: string;
  readonly attempts: number;
  readonly parked_at: string;
  readonly reason: string;
};

export async function listParked(pool: Pool, queue: string, limitMax: number): Promise<readonly ParkedMessage[]> {
  const { rows } = await pool.query<ParkedRow>(selectParked, [queue, Math.min(limitMax, listMax)]);
  return rows.map((row) => ({
    queue,
    messageId: row.message_id,
    type: row.type,
    attempts: row.attempts,
    parkedAt: row.parked_at,
    reason: row.reason,
    body: readableBody(row.body),
  }));
}

/** One statement, so that a crash leaves each message either parked or due. */
export async function redriveParked(pool: Pool, clock: Clock, queue: string, messageIds?: readonly string[]): Promise<number> {
  const { rowCount } = await pool.query(redrive, [queue, messageIds ?? null, clock.now()]);
  return rowCount ?? 0;
}
