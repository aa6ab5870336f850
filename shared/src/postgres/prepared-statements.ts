import type { Statement } from './database.js';
import { writeBind, writeClose, writeDescribe, writeExecute, writeParse, type MessageBuffer } from './message-buffer.js';
import type { RowReader } from './row-reader.js';
import { codeOf } from './unavailable.js';

/** What one connection remembers about a statement that the server has parsed for it. */
type Prepared = { readonly text: string; readonly readRow: RowReader };

/** By name. What is in here the server has for certain; what is not, it may have all the same. */
export type PreparedStatements = Map<string, Prepared>;

/** What is about to go out on a connection. */
export type Outgoing = {
  readonly messages: MessageBuffer;
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
export function writeStatement(outgoing: Outgoing, statement: Statement, values: readonly unknown[]): RowReader | undefined {
  const { known, messages, parsedStatements } = outgoing;
  const { name, text } = statement;
  const prepared = known.get(name);
  refuseAnotherText(name, text, prepared?.text ?? parsedStatements[name]);
  const begin = messages.length;
  try {
    if (prepared === undefined) writeAnew(messages, statement);
    writeBind(messages, name, values);
  } catch (error) {
    messages.length = begin;
    throw error;
  }
  if (prepared === undefined) {
    if (name !== unnamed) Reflect.deleteProperty(parsedStatements, name);
    writeDescribe(messages);
  }
  writeExecute(messages);
  return prepared?.readRow;
}

function refuseAnotherText(name: string, text: string, previous: string | undefined): void {
  if (previous === undefined || previous === text || name === unnamed) return;
  throw new Error(`Prepared statements must be unique - '${name}' was used for a different statement`);
}

/** It may be there from a try that failed, or with the columns it had then. To close what is not there is no error. */
function writeAnew(messages: MessageBuffer, { name, text }: Statement): void {
  if (name !== unnamed) writeClose(messages, name);
  writeParse(messages, name, text);
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
