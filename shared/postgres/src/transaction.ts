import type { Client } from 'pg';
import type { DataSource, QueryRunner } from 'typeorm';
import type { Log } from '@holdfast/kernel/context';
import { retry } from '@holdfast/kernel/async';
import { isReusableAfter, isStaleStatement, toQueryConfig } from './connection.js';
import type { ConnectionPool, Sql, Tx, TransactionOptions } from './database.js';
import { OutcomeUnknown, isNotCommitted } from './outcome-unknown.js';
import { codeOf } from './sql-state.js';
import { toAppError } from './unavailable.js';

/** Serialization failure and deadlock: Postgres has rolled back, and a retry may succeed. */
const retryableCodes: ReadonlySet<string> = new Set(['40001', '40P01']);
const retries = { attemptsMax: 5, firstDelayMs: 10 } as const;

type TransactionDeps = { readonly dataSource: DataSource; readonly log: Log };
type Work<T> = (tx: Tx) => Promise<T>;

export function transactionsOn(deps: TransactionDeps): ConnectionPool['inTransaction'] {
  return async (work, options = {}) => {
    try {
      return await retry(() => runOnce(deps, work, options), { ...retries, shouldRetry: isRetryable });
    } catch (error) {
      throw toAppError(error);
    }
  };
}

function isRetryable(error: unknown): boolean {
  return retryableCodes.has(codeOf(error) ?? '') || isStaleStatement(error);
}

/**
 * BEGIN and COMMIT are awaited; the statements between may be pipelined. The driver syncs after each statement: after a failed BEGIN
 * pipelined statements would run outside of a transaction, and a pipelined COMMIT would commit the statements before a failed one.
 */
async function runOnce<T>({ dataSource, log }: TransactionDeps, work: Work<T>, options: TransactionOptions): Promise<T> {
  const runner = dataSource.createQueryRunner();
  const client = (await runner.connect()) as Client;
  const statements = createPipeline(client);
  const { tx, beforeCommit, afterCommit } = openTx(runner, statements);
  try {
    await begin(runner, client, options);
    const result = await work(tx);
    for (const hook of beforeCommit) await hook(); // A hook may register another one, which the loop also reaches.
    await statements.allSucceeded();
    await commit(client);
    for (const hook of afterCommit) runHook(hook, log);
    return result;
  } catch (error) {
    const failure = await statements.firstFailure();
    await rollBackOrDestroy(client, failure);
    throw codeOf(error) === transactionAborted ? (failure ?? error) : error;
  } finally {
    statements.close();
    await runner.release();
  }
}

/** The error of every statement after a failed one. The first error is thrown instead, because it has the cause. */
const transactionAborted = '25P02';

async function begin(runner: QueryRunner, client: Client, { isolation }: TransactionOptions): Promise<void> {
  try {
    await runner.startTransaction(isolation);
  } catch (error) {
    destroy(client);
    throw error;
  }
}

type Hooks = { readonly tx: Tx; readonly beforeCommit: (() => Promise<void>)[]; readonly afterCommit: (() => void)[] };

function openTx({ manager }: QueryRunner, statements: Pipeline): Hooks {
  const beforeCommit: (() => Promise<void>)[] = [];
  const afterCommit: (() => void)[] = [];
  const tx: Tx = {
    query: async <Row>(sql: Sql, values?: readonly unknown[]) => (await statements.issue(sql, values)) as readonly Row[],
    defer: (sql, values, onRows) => statements.defer(sql, values, (rows) => onRows?.(rows as never[])),
    manager,
    beforeCommit: (hook) => void beforeCommit.push(hook),
    afterCommit: (hook) => void afterCommit.push(hook),
  };
  return { tx, beforeCommit, afterCommit };
}

/** The statements of a transaction. Each is sent when it is issued. */
type Pipeline = {
  readonly issue: (sql: Sql, values?: readonly unknown[]) => Promise<readonly unknown[]>;
  readonly defer: (sql: Sql, values: readonly unknown[] | undefined, onRows: (rows: readonly unknown[]) => void) => void;
  /** Waits for all statements and rejects with the first failure, even if the code that issued it has caught the error. */
  readonly allSucceeded: () => Promise<void>;
  readonly firstFailure: () => Promise<unknown>;
  /** Refuses further statements, because the connection returns to the pool. */
  readonly close: () => void;
};

function createPipeline(client: Client): Pipeline {
  const pending = new Set<Promise<unknown>>();
  let failure: unknown;
  let isClosed = false;
  const track = (statement: Promise<unknown>): void => {
    const settled = statement.catch((error: unknown) => (failure ??= error)).finally(() => pending.delete(settled));
    pending.add(settled);
  };
  const issue: Pipeline['issue'] = async (sql, values) => {
    if (isClosed) throw new Error('The transaction has ended.');
    const result = client.query(toQueryConfig(sql, values));
    track(result);
    return (await result).rows as readonly unknown[];
  };
  const settle = async (): Promise<unknown> => {
    while (pending.size > 0) await Promise.all(pending);
    return failure;
  };
  return {
    issue,
    defer: (sql, values, onRows) => track(issue(sql, values).then(onRows)),
    allSucceeded: async () => {
      const first = await settle();
      if (first !== undefined) throw first as Error;
    },
    firstFailure: settle,
    close: () => {
      isClosed = true;
    },
  };
}

/** The server rolls an aborted transaction back on COMMIT, which only the command tag of its response shows. See ADR 0040. */
async function commit(client: Client): Promise<void> {
  try {
    const { command } = await client.query('commit');
    if (command !== 'COMMIT') throw new TransactionRolledBack();
  } catch (error) {
    if (isNotCommitted(error)) throw error;
    destroy(client);
    throw error instanceof TransactionRolledBack ? error : new OutcomeUnknown(error);
  }
}

/** The server rolled back on COMMIT for an unknown reason, so the connection is not reused. */
class TransactionRolledBack extends Error {
  constructor() {
    super('The transaction was rolled back, although none of its statements failed.');
    this.name = 'TransactionRolledBack';
  }
}

async function rollBackOrDestroy(client: Client, failure: unknown): Promise<void> {
  if (failure === undefined || isReusableAfter(failure)) await client.query('rollback').catch(() => destroy(client));
  else destroy(client);
}

/** The pool discards an ended connection. Not awaited, because the driver first waits for statements in flight. */
function destroy(client: Client): void {
  client.end().catch(() => undefined);
}

function runHook(hook: () => void, log: Log): void {
  try {
    hook();
  } catch (error) {
    log.error({ error }, 'an after-commit hook failed');
  }
}
