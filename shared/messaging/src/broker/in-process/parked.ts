import type { Database } from '@holdfast/postgres';
import type { ParkedMessage } from '../broker.js';
import { readableBody } from '../envelope.js';
import { redriveParked as redrive, selectParked } from './statements.js';

const listMax = 1_000;

type ParkedRow = Omit<ParkedMessage, 'queue' | 'body'> & { readonly body: string };

export async function listParked(pool: Database['pool'], queue: string, limitMax: number): Promise<readonly ParkedMessage[]> {
  const { rows } = await pool.query<ParkedRow>({ text: selectParked, values: [queue, Math.min(limitMax, listMax)] });
  return rows.map((row) => ({ ...row, queue, body: readableBody(row.body) }));
}

/** Uses one statement, so that a crash leaves each message either parked or due. */
export async function redriveParked(pool: Database['pool'], queue: string, messageIds?: readonly string[]): Promise<number> {
  const { rowCount } = await pool.query({ text: redrive, values: [queue, messageIds ?? null] });
  return rowCount ?? 0;
}
