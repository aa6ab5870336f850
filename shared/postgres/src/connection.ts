import { DatabaseError, type QueryConfig } from 'pg';
import type { Sql } from './database.js';
import { codeOf } from './sql-state.js';

/** The driver's form of a statement. */
export function toQueryConfig(sql: Sql, values?: readonly unknown[]): QueryConfig {
  const statement: { readonly text: string; readonly values?: readonly unknown[] } =
    typeof sql === 'string' ? { text: sql } : sql;
  const bound = values ?? statement.values;
  return { ...statement, values: bound === undefined ? undefined : [...bound] } as QueryConfig;
}

const featureNotSupported = '0A000';
const invalidStatementName = '26000';

/**
 * Whether the server refused a prepared statement because its result columns have changed or because the server no longer has it.
 * The statement was not executed, and it may succeed on another connection.
 */
export function isStaleStatement(error: unknown): boolean {
  const code = codeOf(error);
  if (code === invalidStatementName) return true;
  // The code has other meanings, too, and the message is localised, so the routine that raised the error is compared.
  return code === featureNotSupported && (error as { readonly routine?: unknown }).routine === 'RevalidateCachedQuery';
}

/**
 * Whether the connection may be reused after a failed statement. It may after an error of the server. After an error of the driver
 * (a value that cannot be serialized, a statement name with two texts, a timeout) driver and server may be out of step.
 */
export function isReusableAfter(error: unknown): boolean {
  return isServerError(error) && !isStaleStatement(error);
}

/** Whether the error is a response of the server. The driver throws the same class, without a code, for a response it cannot parse. */
export function isServerError(error: unknown): boolean {
  return error instanceof DatabaseError && error.code !== undefined;
}
