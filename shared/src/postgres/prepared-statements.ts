import type { Statement } from './database.js';
import { prepareValue, type DriverConnection } from './driver-connection.js';
import type { RowReader } from './row-reader.js';
import { codeOf } from './unavailable.js';

/** What one connection remembers about a statement that the server has parsed for it. */
type Prepared = { readonly text: string; readonly readRow: RowReader };

/** By name. What is in here the server has for certain; what is not, it may have all the same. */
export type PreparedStatements = Map<string, Prepared>;

/** The name of whatever is parsed for one execution only. */
export const unnamed = '';
const portal = { type: 'P' } as const;

/**
 * Writes one statement to the connection. Gives back how its rows are read, or nothing when the server was asked to tell. It
 * tells that of a named statement only once, since it refuses to execute one whose columns are no longer what they were.
 */
export function writeStatement(
  connection: DriverConnection,
  known: PreparedStatements,
  { name, text }: Statement,
  values: readonly unknown[],
): RowReader | undefined {
  const prepared = known.get(name);
  refuseAnotherText(name, text, prepared?.text ?? connection.parsedStatements[name]);
  if (prepared === undefined) parse(connection, name, text);
  connection.bind({ statement: name, values, valueMapper: prepareValue });
  if (prepared === undefined) connection.describe(portal);
  connection.execute();
  return prepared?.readRow;
}

function refuseAnotherText(name: string, text: string, previous: string | undefined): void {
  if (previous === undefined || previous === text || name === unnamed) return;
  throw new Error(`Prepared statements must be unique - '${name}' was used for a different statement`);
}

/** Closed first: it may be there from a try that failed, or with columns of a time before. Closing nothing is no error. */
function parse(connection: DriverConnection, name: string, text: string): void {
  if (name !== unnamed) {
    connection.close({ type: 'S', name });
    Reflect.deleteProperty(connection.parsedStatements, name);
  }
  connection.parse({ name, text });
}

const featureNotSupported = '0A000';
const noSuchStatement = '26000';

/**
 * Whether the server refused to execute a statement only because it was parsed too long ago: its columns have changed since, or
 * the server has dropped it. Nothing of it has happened, and parsed anew it may succeed.
 */
export function tellsStale(error: unknown): boolean {
  const code = codeOf(error);
  if (code === noSuchStatement) return true;
  // The code alone would not do, and the message depends on the server's language; the routine is that of the check.
  return code === featureNotSupported && (error as { readonly routine?: unknown }).routine === 'RevalidateCachedQuery';
}
