import type { Database } from './database.js';

export type RowsToDelete = {
  readonly table: string;
  /** The condition; its parameters begin with $2. */
  readonly where: string;
  readonly values?: readonly unknown[];
};

const rowsMax = 5_000;
const batchesMax = 200;

/** Deletes rows in batches, so that no lock is held for long. Returns the number of deleted rows. */
export async function deleteInBatches(
  { lists }: Pick<Database, 'lists'>,
  { table, where, values = [] }: RowsToDelete,
  signal: AbortSignal,
): Promise<number> {
  const statement = `
    delete from ${table}
    where ctid = any(array(
      select ctid
      from ${table}
      where ${where}
      limit $1
    ))`;
  let deleted = 0;
  for (let batch = 0; batch < batchesMax && !signal.aborted; batch += 1) {
    const { rowCount } = await lists.query(statement, [rowsMax, ...values]);
    deleted += rowCount ?? 0;
    if ((rowCount ?? 0) < rowsMax) break;
  }
  return deleted;
}
