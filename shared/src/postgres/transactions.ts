import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import type { DataSource, EntityManager } from 'typeorm';
import type { Log } from '../context/index.js';
import type { Database, Statement, TransactionOptions, Tx } from './database.js';
import { createMapper, type Mapper } from './mapper.js';
import { tellsStale, unnamed } from './prepared-statements.js';
import type { TakeSession } from './sessions.js';
import { sendAlone, sendTogether, type Answer, type Pending, type Session } from './statement-group.js';
import { createStatementQueue, type StatementQueue } from './statement-queue.js';
import { codeOf, toAppError } from './unavailable.js';

/** Serialization failure and deadlock: Postgres rolled back, and the same work may succeed on the next try. */
const repeatableCodes: ReadonlySet<string> = new Set(['40001', '40P01']);
const attemptsMax = 5;
const firstPauseMsMax = 10;

export type TransactionParts = {
  readonly takeSession: TakeSession;
  readonly dataSource: DataSource;
  readonly log: Log;
};

export function transactions(parts: TransactionParts): Database['inTransaction'] {
  return async (work, options = {}) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await runOnce(parts, work, options);
      } catch (error) {
        if (attempt >= attemptsMax || !isRepeatable(error)) throw toAppError(error);
        await pause(randomInt(1, firstPauseMsMax * 2 ** attempt));
      }
    }
  };
}

function isRepeatable(error: unknown): boolean {
  return repeatableCodes.has(codeOf(error) ?? '') || tellsStale(error);
}

type Work<T> = (tx: Tx) => Promise<T>;

async function runOnce<T>(parts: TransactionParts, work: Work<T>, options: TransactionOptions): Promise<T> {
  const session = await parts.takeSession();
  const queue = createStatementQueue((group) => sendTogether(session, group));
  const mapper = createMapper(parts.dataSource, session.client, queue.flush);
  const { tx, beforeCommit, afterCommit } = openTx(mapper, queue);
  queue.defer(options.isolation === 'serializable' ? beginSerializable : begin);
  try {
    const result = await work(tx);
    for (const hook of beforeCommit) await hook(); // one of them may register another: the loop reaches it, too
    await commit(session, queue, options);
    for (const hook of afterCommit) runHook(hook, parts.log);
    return result;
  } catch (error) {
    queue.close();
    if (queue.hasSent()) await rollBack(session.client);
    throw error;
  } finally {
    queue.close();
    await mapper.close();
    session.client.release();
  }
}

const begin = { name: 'begin', text: 'begin' };
const beginSerializable = { name: 'begin-serializable', text: 'begin isolation level serializable' };
const commitStatement = { name: 'commit', text: 'commit' };

type Hooks = { readonly tx: Tx; readonly beforeCommit: (() => Promise<void>)[]; readonly afterCommit: (() => void)[] };

function openTx(mapper: Mapper, queue: StatementQueue): Hooks {
  const beforeCommit: (() => Promise<void>)[] = [];
  const afterCommit: (() => void)[] = [];
  const tx = withManager({
    mapper,
    query: async <Row>(sql: string | Statement, parameters: readonly unknown[] = []) => {
      const { rows } = await queue.send(statementOf(sql), parameters);
      return rows as readonly Row[];
    },
    defer: (sql, parameters, onRows) => queue.defer(statementOf(sql), parameters, ({ rows }) => onRows?.(rows as never[])),
    beforeCommit: (hook) => void beforeCommit.push(hook),
    afterCommit: (hook) => void afterCommit.push(hook),
  });
  return { tx, beforeCommit, afterCommit };
}

type TxWithMapper = Omit<Tx, 'manager'> & { readonly mapper: Mapper };

/** Most transactions never ask for it. As an accessor of each transaction's own it would cost more than all the rest of it. */
const managerOnDemand = {
  get manager(): EntityManager {
    return (this as unknown as TxWithMapper).mapper.manager();
  },
};

function withManager(tx: TxWithMapper): Tx {
  return Object.assign(Object.create(managerOnDemand) as typeof managerOnDemand, tx);
}

function statementOf(sql: string | Statement): Statement {
  return typeof sql === 'string' ? { name: unnamed, text: sql } : sql;
}

/** A transaction in which a statement failed answers a commit with a rollback, and says so only in its command tag. */
async function commit(session: Session, queue: StatementQueue, { isolation }: TransactionOptions): Promise<void> {
  if (!queue.hasSent() && queue.waiting() === 1) return; // nothing but its beginning: there is nothing to commit
  const only = isolation === 'serializable' ? undefined : queue.takeOnly();
  if (only !== undefined) return commitAlone(session, only);
  const { tag } = await queue.send(commitStatement, []);
  if (tag !== 'COMMIT') throw new Error('The transaction was rolled back: an error inside it was caught and not passed on.');
}

/** A single statement is a transaction by itself: it needs neither beginning nor commit. */
function commitAlone(session: Session, only: Pending): Promise<void> {
  return new Promise((resolve, reject) => {
    const heard = (answer: Answer): void => {
      resolve();
      only.resolve(answer);
    };
    sendAlone(session, { ...only, resolve: heard, reject });
  });
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
