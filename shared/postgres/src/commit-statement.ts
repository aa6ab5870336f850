import { isRefusal } from './connection.js';
import type { ConnectionPool, Sql } from './database.js';
import { OutcomeUnknown } from './outcome-unknown.js';

/**
 * Runs one statement that writes, as a transaction of its own: no BEGIN, no COMMIT. It has happened as a whole or not at all;
 * `OutcomeUnknown` where the server has not said which.
 */
export async function commitStatement<Row>(
  pool: Pick<ConnectionPool, 'query'>,
  sql: Sql,
  values?: readonly unknown[],
): Promise<readonly Row[]> {
  try {
    return (await pool.query<Row>(sql, values)).rows;
  } catch (error) {
    throw isRefusal(error) ? error : new OutcomeUnknown(error);
  }
}
