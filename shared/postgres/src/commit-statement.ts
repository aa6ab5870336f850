import { isServerError } from './connection.js';
import type { ConnectionPool, Sql } from './database.js';
import { OutcomeUnknown } from './outcome-unknown.js';

/**
 * Runs a single writing statement in its own implicit transaction, without BEGIN and COMMIT. `OutcomeUnknown` if the connection is
 * lost before the server has responded.
 */
export async function commitStatement<Row>(
  pool: Pick<ConnectionPool, 'query'>,
  sql: Sql,
  values?: readonly unknown[],
): Promise<readonly Row[]> {
  try {
    return (await pool.query<Row>(sql, values)).rows;
  } catch (error) {
    throw isServerError(error) ? error : new OutcomeUnknown(error);
  }
}
