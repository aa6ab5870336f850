import type { Statement } from './database.js';
import type { Answer, Pending } from './statement-group.js';

/** The statements of one transaction: each trip to the server takes along whatever waits for one. */
export type StatementQueue = {
  /** Goes out with all that is asked for in the same breath, after whatever was deferred. */
  readonly send: (statement: Statement, values: readonly unknown[]) => Promise<Answer>;
  /** Waits for the next trip. Its failure is that of the statements after it. */
  readonly defer: (statement: Statement, values?: readonly unknown[], onAnswer?: (answer: Answer) => void) => void;
  readonly flush: () => void;
  readonly waiting: () => number;
  /** Takes out the only one that waits beside the first, where nothing has been sent; whoever does so sends it in another way. */
  readonly takeOnly: () => Pending | undefined;
  readonly hasSent: () => boolean;
  /** The transaction is over: what still waits, and whatever comes later, must not reach a connection that others use next. */
  readonly close: () => void;
};

const ended = 'The transaction has ended.';
const ignore = (): void => undefined;

/** `sendGroup` takes one trip to the server. */
export function createStatementQueue(sendGroup: (group: readonly Pending[]) => void): StatementQueue {
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
    sendGroup(group);
  };
  const flushSoon = (): void => {
    if (!isFlushDue) queueMicrotask(flush);
    isFlushDue = true;
  };
  const enqueue = (statement: Pending): void => {
    if (isClosed) statement.reject(new Error(ended));
    else pending.push(statement);
  };
  return {
    send: (statement, values) =>
      new Promise((resolve, reject) => {
        enqueue({ statement, values, resolve, reject });
        flushSoon();
      }),
    defer: (statement, values = [], onAnswer = ignore) => enqueue({ statement, values, resolve: onAnswer, reject: ignore }),
    flush,
    waiting: () => pending.length,
    takeOnly: () => {
      if (hasSent || pending.length !== 2) return undefined;
      return pending.splice(0)[1];
    },
    hasSent: () => hasSent,
    close: () => {
      isClosed = true;
      for (const { reject } of pending) reject(new Error(ended));
      pending = [];
    },
  };
}
