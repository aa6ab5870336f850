import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import type { DataSource, QueryRunner } from 'typeorm';
import type { Log } from '../context/index.js';
import type { Database, Statement, TransactionOptions, Tx } from './database.js';
import { createStatementQueue, type StatementQueue } from './statement-queue.js';
import { codeOf, toAppError } from './unavailable.js';

/** Serialization failure and deadlock: Postgres rolled back, and the same work may succeed on the next try. */
const repeatableCodes: ReadonlySet<string> = new Set(['40001', '40P01']);
const attemptsMax = 5;
const firstPauseMsMax = 10;

export function transactions(dataSource: DataSource, log: Log): Database['inTransaction'] {
  return async (work, options = {}) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await runOnce(dataSource, log, work, options);
      } catch (error) {
        if (attempt >= attemptsMax || !repeatableCodes.has(codeOf(error) ?? '')) throw toAppError(error);
        await pause(randomInt(1, firstPauseMsMax * 2 ** attempt));
      }
    }
  };
}

type Work<T> = (tx: Tx) => Promise<T>;

async function runOnce<T>(dataSource: DataSource, log: Log, work: Work<T>, options: TransactionOptions): Promise<T> {
  const runner = dataSource.createQueryRunner();
  const client = (await runner.connect()) as PoolClient;
  const queue = createStatementQueue(client);
  const { tx, beforeCommit, afterCommit } = openTx(runner, queue);
  queue.defer(options.isolation === 'serializable' ? beginSerializable : begin);
  try {
    const result = await work(tx);
    for (const hook of beforeCommit) await hook(); // one of them may register another: the loop reaches it, too
    await commit(queue);
    for (const hook of afterCommit) runHook(hook, log);
    return result;
  } catch (error) {
    queue.close();
    if (queue.hasSent()) await rollBack(client);
    throw error;
  } finally {
    queue.close();
    await runner.release();
  }
}

const begin = { name: 'begin', text: 'begin' };
const beginSerializable = { name: 'begin-serializable', text: 'begin isolation level serializable' };
const commitStatement = { name: 'commit', text: 'commit' };

type Hooks = { readonly tx: Tx; readonly beforeCommit: (() => Promise<void>)[]; readonly afterCommit: (() => void)[] };

function openTx(runner: QueryRunner, queue: StatementQueue): Hooks {
  const beforeCommit: (() => Promise<void>)[] = [];
  const afterCommit: (() => void)[] = [];
  const tx: Tx = {
    query: async <Row>(sql: string | Statement, parameters: readonly unknown[] = []) => {
      const { rows } = await queue.send(statementOf(sql), parameters);
      return rows as readonly Row[];
    },
    defer: (sql, parameters, onRows) => queue.defer(statementOf(sql), parameters, ({ rows }) => onRows?.(rows as never[])),
    get manager() {
      beginFor(runner, queue);
      return runner.manager;
    },
    beforeCommit: (hook) => void beforeCommit.push(hook),
    afterCommit: (hook) => void afterCommit.push(hook),
  };
  return { tx, beforeCommit, afterCommit };
}

function statementOf(sql: string | Statement): Statement | { readonly text: string } {
  return typeof sql === 'string' ? { text: sql } : sql;
}

/** The mapper asks by itself: what waits goes first, and none of its methods may believe it has to begin a transaction. */
function beginFor(runner: QueryRunner, queue: StatementQueue): void {
  queue.flush();
  const state = runner as unknown as { isTransactionActive: boolean; transactionDepth: number };
  state.isTransactionActive = true;
  state.transactionDepth = 1;
}

/** A transaction in which a statement failed answers a commit with a rollback, and says so only in its command tag. */
async function commit(queue: StatementQueue): Promise<void> {
  if (!queue.hasSent() && queue.waiting() === 1) return; // nothing but its beginning: there is nothing to commit
  const { command } = await queue.send(commitStatement, []);
  if (command !== 'COMMIT') throw new Error('The transaction was rolled back: an error inside it was caught and not passed on.');
}

/** A connection that cannot even roll back is ended, so that the pool does not hand it out again. */
async function rollBack(client: PoolClient): Promise<void> {
  try {
    await client.query('rollback');
  } catch {
    await (client as unknown as { end: () => Promise<void> }).end().catch(() => undefined);
  }
}

function runHook(hook: () => void, log: Log): void {
  try {
    hook();
  } catch (error) {
    log.error({ error }, 'work after a commit failed');
  }
}
