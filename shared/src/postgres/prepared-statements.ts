import { serialize } from 'pg-protocol';
import type { Statement } from './database.js';
import { prepareValue } from './driver-connection.js';
import type { RowReader } from './row-reader.js';
import { codeOf } from './unavailable.js';

/** What one connection remembers about a statement that the server has parsed for it. */
type Prepared = { readonly text: string; readonly readRow: RowReader };

/** By name. What is in here the server has for certain; what is not, it may have all the same. */
export type PreparedStatements = Map<string, Prepared>;

/** What is about to go out on a connection. */
export type Outgoing = {
  readonly messages: Buffer[];
  readonly known: PreparedStatements;
  /** The driver's own notes, text by name: it uses the same connections and must not trip over what we prepared. */
  readonly parsedStatements: Record<string, string>;
};

/** The name of whatever is parsed for one execution only. */
export const unnamed = '';

/**
 * Adds one statement to what goes out, or throws and adds nothing. Gives back how its rows are read, or nothing when the server
 * was asked to tell. It tells that of a named statement only once: one whose columns have changed it refuses to execute.
 */
export function writeStatement(outgoing: Outgoing, { name, text }: Statement, values: readonly unknown[]): RowReader | undefined {
  const prepared = outgoing.known.get(name);
  refuseAnotherText(name, text, prepared?.text ?? outgoing.parsedStatements[name]);
  const bind = serialize.bind({ statement: name, values: values as unknown[], valueMapper: prepareValue });
  if (prepared === undefined) parseAndDescribe(outgoing, { name, text }, bind);
  else outgoing.messages.push(bind, serialize.execute());
  return prepared?.readRow;
}

function refuseAnotherText(name: string, text: string, previous: string | undefined): void {
  if (previous === undefined || previous === text || name === unnamed) return;
  throw new Error(`Prepared statements must be unique - '${name}' was used for a different statement`);
}

function parseAndDescribe({ messages, parsedStatements }: Outgoing, { name, text }: Statement, bind: Buffer): void {
  if (name !== unnamed) {
    // It may be there from a try that failed, or with the columns it had then. To close what is not there is no error.
    messages.push(serialize.close({ type: 'S', name }));
    Reflect.deleteProperty(parsedStatements, name);
  }
  messages.push(serialize.parse({ name, text }), bind, serialize.describe({ type: 'P' }), serialize.execute());
}

const featureNotSupported = '0A000';
const noSuchStatement = '26000';

/**
 * Whether the server refused to execute a statement only because it was parsed too long ago: its columns have changed since, or
 * the server no longer has it. Nothing of it has happened, and parsed anew it may succeed.
 */
export function tellsStale(error: unknown): boolean {
  const code = codeOf(error);
  if (code === noSuchStatement) return true;
  // The code alone would not do, and the message depends on the server's language; the routine is that of the check.
  return code === featureNotSupported && (error as { readonly routine?: unknown }).routine === 'RevalidateCachedQuery';
}
