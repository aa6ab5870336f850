import type { PoolClient, QueryResult } from 'pg';
import type { Statement } from './database.js';
import { sendTogether, type Pending } from './statement-group.js';

/** The statements of one transaction: each trip to the server takes along whatever waits for one. */
export type StatementQueue = {
  /** Goes out with all that is asked for in the same breath, after whatever was deferred. */
  readonly send: (statement: Pending['statement'], values: readonly unknown[]) => Promise<QueryResult>;
  /** Waits for the next trip. Its failure is that of the statements after it. */
  readonly defer: (
    statement: Statement | { readonly text: string },
    values?: readonly unknown[],
    onResult?: (result: QueryResult) => void,
  ) => void;
  readonly flush: () => void;
  readonly waiting: () => number;
  readonly hasSent: () => boolean;
  /** The transaction is over: what still waits, and whatever comes later, must not reach a connection that others use next. */
  readonly close: () => void;
};

const ended = 'The transaction has ended.';

export function createStatementQueue(client: PoolClient): StatementQueue {
  let pending: Pending[] = [];
  let hasSent = false;
  let isFlushDue = false;
  let isClosed = false;
  const flush = (): void => {
    isFlushDue = false;
    if (pending.length === 0) return;
    const group = pending;
    pending = [];
    hasSent = true;
    sendTogether(client, group);
  };
  const flushSoon = (): void => {
    if (!isFlushDue) queueMicrotask(flush);
    isFlushDue = true;
  };
  const enqueue = (statement: Pending): void => {
    if (isClosed) statement.settle(new Error(ended));
    else pending.push(statement);
  };
  return {
    send: (statement, values) =>
      new Promise((resolve, reject) => {
        const settle: Pending['settle'] = (error, result) => {
          if (result === undefined) reject(error ?? new Error('The statement was not answered.'));
          else resolve(result);
        };
        enqueue({ statement, values, settle });
        flushSoon();
      }),
    defer: (statement, values = [], onResult = () => undefined) => {
      const settle: Pending['settle'] = (_, result) => {
        if (result !== undefined) onResult(result);
      };
      enqueue({ statement, values, settle });
    },
    flush,
    waiting: () => pending.length,
    hasSent: () => hasSent,
    close: () => {
      isClosed = true;
      for (const { settle } of pending) settle(new Error(ended));
      pending = [];
    },
  };
}
