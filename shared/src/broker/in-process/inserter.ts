import type { ConnectionPool as Pool } from '../../postgres/index.js';
import { createBatcher, type Batcher } from '../../batching/index.js';
import type { Clock } from '../../context/index.js';
import { insertDeliveries } from './statements.js';

/** A message on its way into one queue. */
export type FreshRow = { readonly queue: string; readonly messageId: string; readonly type: string; readonly body: string };

export type InsertOptions = {
  readonly pool: Pool;
  readonly clock: Clock;
  /** Those of a batch that were not there yet, once they are durable. */
  readonly onInserted: (rows: readonly FreshRow[]) => void;
};

const statementRowsMax = 500;
const statementsInFlightMax = 2;
const gatherMs = 1;
const waitingMax = 50_000;

/** Whatever is published at the same time becomes durable with one commit. */
export function createInserter(options: InsertOptions): Batcher<FreshRow, boolean> {
  return createBatcher<FreshRow, boolean>({
    run: (rows) => insert(options, rows),
    sizeMax: statementRowsMax,
    inFlightMax: statementsInFlightMax,
    waitMs: gatherMs,
    waitingMax,
    overflow: () => new Error(`more than ${waitingMax} messages wait to be published already`),
  });
}

type Key = { readonly queue: string; readonly message_id: string };

/** Says of each row whether it was not there yet. */
async function insert(
  { pool, clock, onInserted }: InsertOptions,
  rows: readonly FreshRow[],
): Promise<readonly PromiseSettledResult<boolean>[]> {
  const column = (name: keyof FreshRow): readonly string[] => rows.map((row) => row[name]);
  const columns = [column('queue'), column('messageId'), column('type'), column('body')];
  const inserted = await pool.query<Key>(insertDeliveries, [...columns, clock.now()]);
  const keys = new Set(inserted.rows.map(({ queue, message_id: messageId }) => keyOf(queue, messageId)));
  const isFresh = rows.map(({ queue, messageId }) => keys.delete(keyOf(queue, messageId))); // once, also if it came twice
  onInserted(rows.filter((_, index) => isFresh[index] === true));
  return isFresh.map((value) => ({ status: 'fulfilled', value }));
}

function keyOf(queue: string, messageId: string): string {
  return `${queue} ${messageId}`;
}
