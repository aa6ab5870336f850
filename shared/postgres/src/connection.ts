import { DatabaseError, type QueryConfig } from 'pg';
import type { Sql } from './database.js';
import { codeOf } from './sql-state.js';

/** What the driver takes: text, values and, where the statement has one, its name. */
export function toQueryConfig(sql: Sql, values?: readonly unknown[]): QueryConfig {
  const statement: { readonly text: string; readonly values?: readonly unknown[] } =
    typeof sql === 'string' ? { text: sql } : sql;
  const given = values ?? statement.values;
  return { ...statement, values: given === undefined ? undefined : [...given] } as QueryConfig;
}

const featureNotSupported = '0A000';
const noSuchStatement = '26000';

/**
 * Whether the server refused a named statement only because it was parsed too long ago: its columns have changed since, or the
 * server no longer has it. Nothing of it has happened, and on another connection it may succeed.
 */
export function isStaleStatement(error: unknown): boolean {
  const code = codeOf(error);
  if (code === noSuchStatement) return true;
  // The code alone would not do, and the message depends on the server's language; the routine is that of the check.
  return code === featureNotSupported && (error as { readonly routine?: unknown }).routine === 'RevalidateCachedQuery';
}

/**
 * Whether the connection may be used again after one of its statements failed. A refusal of the server leaves it as it was; a
 * value that could not be written, a name used for two texts or a time limit leaves statements behind that the driver and the server know differently.
 */
export function isReusableAfter(error: unknown): boolean {
  return isRefusal(error) && !isStaleStatement(error);
}

/** Whether the server has refused the statement. The driver makes the same kind of error, without a code, of a response that it cannot read. */
export function isRefusal(error: unknown): boolean {
  return error instanceof DatabaseError && error.code !== undefined;
}
