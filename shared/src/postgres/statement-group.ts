import type { PoolClient } from 'pg';
import type { Statement } from './database.js';
import { converse, type Conversation, type DriverConnection } from './driver-connection.js';
import { createMessageBuffer, writeSync, writtenIn } from './message-buffer.js';
import { tellsStale, unnamed, writeStatement, type Outgoing, type PreparedStatements } from './prepared-statements.js';
import { rowReaderOf, rowless, type RowReader } from './row-reader.js';

/** What the server said to one statement. Its tag names the command and, where rows are counted, how many it were. */
export type Answer = { readonly tag: string; readonly rows: readonly unknown[] };

/** One statement on its way to the server, and who is told what came of it. */
export type Pending = {
  /** Its name is empty when it is parsed for this execution only. */
  readonly statement: Statement;
  readonly values: readonly unknown[];
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
};

/** A connection that was taken from the pool, and what it remembers. */
export type Session = { readonly client: PoolClient; readonly known: PreparedStatements };

/**
 * Sends statements of a transaction in one write and waits once for all of them. The server answers them in order and leaves
 * out whatever follows one that failed, so a group behaves as if each had been sent after the one before had succeeded.
 */
export function sendTogether({ client, known }: Session, pending: readonly Pending[]): void {
  converse(client, groupOf(pending.map(toPart), known, keepAnswers));
}

/** Sends a statement that is a transaction of its own. Until that has ended, its answer may still be taken back. */
export function sendAlone({ client, known }: Session, pending: Pending): void {
  converse(client, groupOf([toPart(pending)], known, dropAnswers));
}

/** How many of the answers that came before an error remain true in spite of it. */
type Lasting = (answered: number) => number;
const keepAnswers: Lasting = (answered) => answered;
const dropAnswers: Lasting = () => 0;
const unanswered = 'The statement was not answered.';

/** A statement while its answer comes in. */
type Part = {
  readonly pending: Pending;
  readonly rows: unknown[];
  readRow: RowReader | undefined;
  tag: string;
  /** Of a value that came and cannot be read. */
  failure: Error | undefined;
};

function toPart(pending: Pending): Part {
  return { pending, rows: [], readRow: undefined, tag: '', failure: undefined };
}

function groupOf(parts: readonly Part[], known: PreparedStatements, lasting: Lasting): Conversation {
  /** Of one that cannot be sent, because the driver cannot write its values. */
  let refusal: Error | undefined;
  let current = 0;
  let isOver = false;
  const end = (answered: number, error: Error | undefined): void => {
    if (isOver) return; // the time limit was up before the answer came
    isOver = true;
    parts.forEach((part, index) => tell(part, index < answered ? undefined : (error ?? new Error(unanswered))));
    group.callback();
  };
  const advance = (): void => {
    current += 1;
    const statement = parts[current]?.pending.statement;
    group.name = statement?.name;
    group.text = statement?.text;
  };
  const group: Conversation = {
    callback: () => undefined,
    name: parts[0]?.pending.statement.name,
    text: parts[0]?.pending.statement.text,
    submit: (connection) => {
      refusal = writeAll(parts, connection, known);
      return null;
    },
    handleRowDescription: ({ fields }) => learn(parts[current], rowReaderOf(fields), known),
    handleDataRow: ({ fields }) => addRow(parts[current], fields),
    handleCommandComplete: ({ text: tag }) => {
      const part = parts[current];
      if (part !== undefined) part.tag = tag;
      if (part?.readRow === undefined) learn(part, rowless, known);
      advance();
    },
    handleEmptyQuery: () => advance(),
    handleError: (error) => {
      if (tellsStale(error)) known.clear(); // where one is stale, others are: the next try finds out about all of them at once
      end(lasting(current), error);
    },
    handleReadyForQuery: () => end(current, refusal),
  };
  return group;
}

/** Stops at one that cannot be sent: the server answers those before it, and nothing after it has happened. */
function writeAll(parts: readonly Part[], { stream, parsedStatements }: DriverConnection, known: PreparedStatements) {
  const outgoing: Outgoing = { messages: createMessageBuffer(), known, parsedStatements };
  let refusal: Error | undefined;
  try {
    for (const part of parts) part.readRow = writeStatement(outgoing, part.pending.statement, part.pending.values);
  } catch (error) {
    refusal = error as Error;
  }
  writeSync(outgoing.messages);
  // A connection that is no longer writable is about to say so to everyone who waits on it.
  if (stream.writable) stream.write(writtenIn(outgoing.messages));
  return refusal;
}

/** Once the server has told the columns, it has parsed the statement, whatever becomes of this execution. */
function learn(part: Part | undefined, readRow: RowReader, known: PreparedStatements): void {
  if (part === undefined) return;
  part.readRow = readRow;
  const { name, text } = part.pending.statement;
  if (name !== unnamed) known.set(name, { text, readRow });
}

function addRow(part: Part | undefined, values: readonly (string | null)[]): void {
  if (part?.readRow === undefined || part.failure !== undefined) return;
  try {
    part.rows.push(part.readRow(values));
  } catch (error) {
    part.failure = error as Error;
  }
}

/** Whoever listens may fail at it, which is a bug of his, but must not keep the others from hearing. */
function tell({ pending, tag, rows, failure }: Part, error: Error | undefined): void {
  try {
    const problem = failure ?? error;
    if (problem === undefined) pending.resolve({ tag, rows });
    else pending.reject(problem);
  } catch (bug) {
    process.nextTick(() => {
      throw bug as Error;
    });
  }
}
