import pg, { type PoolClient, type QueryResult } from 'pg';
import type { Statement } from './database.js';
import { typeParsers } from './type-parsers.js';

/** One statement on its way to the server, and who is told what came of it. */
export type Pending = {
  readonly statement: Statement | { readonly text: string };
  readonly values: readonly unknown[];
  readonly settle: (error: Error | null, result?: QueryResult) => void;
};

/** What the driver's own query does with the server's messages; its types leave these methods out. */
type Part = {
  readonly name?: string;
  readonly text: string;
  submit: (connection: Connection) => Error | null;
  handleRowDescription: (message: unknown) => void;
  handleDataRow: (message: unknown) => void;
  handleCommandComplete: (message: unknown, connection: Connection) => void;
  handleError: (error: unknown, connection: Connection) => void;
  handleReadyForQuery: (connection: Connection) => void;
};

type Connection = {
  readonly parsedStatements: Record<string, string>;
  readonly sync: () => void;
  readonly stream: { readonly cork: () => void; readonly uncork: () => void };
  readonly submittedNamedStatements: Record<string, string>;
};

/**
 * Sends the statements in one write and waits once for all of them. The server answers them in order and leaves out whatever
 * follows one that failed, so a group behaves as if each had been sent after the one before had succeeded.
 */
export function sendTogether(client: PoolClient, pending: readonly Pending[]): void {
  client.query(groupOf(pending) as unknown as pg.Submittable);
}

type Refusal = { readonly error: unknown };

function groupOf(pending: readonly Pending[]) {
  /** Of one whose values the driver cannot write; it tells of that while the statement is on its way out. */
  let refusal: Refusal | undefined;
  let isSubmitting = false;
  let current = 0;
  const parts = pending.map((each) =>
    toPart(each, (error, result) => {
      if (isSubmitting) refusal = { error };
      else each.settle(error, result);
    }),
  );
  const end = (answered: number, error: unknown, connection: Connection): void => {
    for (const part of parts.slice(answered)) forget(part, connection);
    parts.slice(0, answered).forEach((part) => part.handleReadyForQuery(connection));
    parts.slice(answered).forEach((part) => part.handleError(error, connection));
    group.callback();
  };
  const group = {
    /** The driver replaces it to learn when the group has come to its end. */
    callback: (): void => undefined,
    /** The driver remembers under these what the server has parsed. */
    get name() {
      return parts[current]?.name;
    },
    get text() {
      return parts[current]?.text;
    },
    submit: (connection: Connection): null => {
      isSubmitting = true;
      submitAll(parts, connection, () => refusal !== undefined);
      isSubmitting = false;
      return null;
    },
    handleRowDescription: (message: unknown) => parts[current]?.handleRowDescription(message),
    handleDataRow: (message: unknown) => parts[current]?.handleDataRow(message),
    handleCommandComplete: (message: unknown, connection: Connection) => {
      parts[current]?.handleCommandComplete(message, connection);
      current += 1;
    },
    handleEmptyQuery: () => {
      current += 1;
    },
    handleError: (error: unknown, connection: Connection) => end(current, error, connection),
    handleReadyForQuery: (connection: Connection) => {
      // The driver has had the server forget a statement whose values it could not write.
      const refused = refusal === undefined ? undefined : parts[current]?.name;
      if (refused !== undefined) Reflect.deleteProperty(connection.parsedStatements, refused);
      end(current, refusal?.error, connection);
    },
  };
  return group;
}

function toPart({ statement, values }: Pending, callback: Pending['settle']): Part {
  // Only the extended protocol lets several statements share one end.
  const config = { ...statement, values: [...values], types: typeParsers, queryMode: 'extended' };
  return new pg.Query(config, callback as never) as unknown as Part;
}

/** Stops at one that cannot be sent: the server answers those before it, and nothing after it has happened. */
function submitAll(parts: readonly Part[], connection: Connection, isRefused: () => boolean): void {
  const withoutSync = Object.create(connection, { sync: { value: () => undefined } }) as Connection;
  connection.stream.cork();
  try {
    for (const part of parts) {
      const error = part.submit(withoutSync);
      // Told to the part, so that it counts as refused like one whose values could not be written.
      if (error !== null) part.handleError(error, connection);
      if (isRefused()) break;
    }
  } finally {
    connection.sync();
    connection.stream.uncork();
  }
}

/** Whether the server has parsed it is not certain, so it is not relied on. */
function forget({ name }: Part, connection: Connection): void {
  if (name !== undefined) Reflect.deleteProperty(connection.submittedNamedStatements, name);
}
