import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import type { DataSource, QueryRunner } from 'typeorm';
import type { Log } from '../context/index.js';
import type { Database, Statement, TransactionOptions, Tx } from './database.js';
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
  const { tx, beforeCommit, afterCommit } = openTx(runner, client);
  try {
    // Begun by TypeORM, so that none of its methods believes it has to begin one of its own; ended by ourselves, see `commit`.
    await runner.startTransaction(options.isolation === 'serializable' ? 'SERIALIZABLE' : undefined);
    const result = await work(tx);
    for (const hook of beforeCommit) await hook(); // one of them may register another: the loop reaches it, too
    await commit(client);
    for (const hook of afterCommit) runHook(hook, log);
    return result;
  } catch (error) {
    await rollBack(client);
    throw error;
  } finally {
    await runner.release();
  }
}

type Hooks = { readonly tx: Tx; readonly beforeCommit: (() => Promise<void>)[]; readonly afterCommit: (() => void)[] };

function openTx(runner: QueryRunner, client: PoolClient): Hooks {
  const beforeCommit: (() => Promise<void>)[] = [];
  const afterCommit: (() => void)[] = [];
  const tx: Tx = {
    // Not the runner's own query: that answers an update with a pair instead of the rows.
    query: async <Row>(sql: string | Statement, parameters: readonly unknown[] = []) => {
      const result = await client.query({ ...(typeof sql === 'string' ? { text: sql } : sql), values: [...parameters] });
      return result.rows as readonly Row[];
    },
    manager: runner.manager,
    beforeCommit: (hook) => void beforeCommit.push(hook),
    afterCommit: (hook) => void afterCommit.push(hook),
  };
  return { tx, beforeCommit, afterCommit };
}

/** A transaction in which a statement failed answers a commit with a rollback, and says so only in its command tag. */
async function commit(client: PoolClient): Promise<void> {
  const { command } = await client.query('commit');
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
