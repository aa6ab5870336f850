import type { Pool, QueryResult } from 'pg';
import type { Statement } from './database.js';
import { tellsStale, unnamed } from './prepared-statements.js';
import type { TakeSession } from './sessions.js';
import { sendAlone, type Answer, type Session } from './statement-group.js';

type Single = { readonly statement: Statement; readonly values: readonly unknown[] };

/**
 * Has `pool.query` send its statements the way transactions send theirs. Text without values stays with the driver, which
 * sends it in a way that allows several statements in one text, and so does whatever asks for more than rows.
 */
export function sendSingly(pool: Pool, takeSession: TakeSession): void {
  const driverQuery = pool.query.bind(pool) as (...parameters: readonly unknown[]) => unknown;
  const query = (...parameters: readonly unknown[]): unknown => {
    const single = singleOf(parameters);
    return single === undefined ? driverQuery(...parameters) : querySingly(takeSession, single);
  };
  Object.assign(pool, { query });
}

type Config = { readonly name?: unknown; readonly text?: unknown; readonly values?: unknown };

const understood: ReadonlySet<string> = new Set(['name', 'text', 'values']);

function singleOf([first, second, ...others]: readonly unknown[]): Single | undefined {
  if (others.length > 0) return undefined;
  if (typeof first === 'string') return toSingle({ text: first, values: second });
  if (second !== undefined || typeof first !== 'object' || first === null) return undefined;
  return Object.keys(first).every((key) => understood.has(key)) ? toSingle(first) : undefined;
}

function toSingle({ name = unnamed, text, values = [] }: Config): Single | undefined {
  if (typeof name !== 'string' || typeof text !== 'string' || !Array.isArray(values)) return undefined;
  if (name === unnamed && values.length === 0) return undefined;
  return { statement: { name, text }, values };
}

/** As the driver's pool does it, a connection on which a statement failed is not used again. */
async function querySingly(takeSession: TakeSession, single: Single): Promise<QueryResult> {
  const session = await takeSession();
  try {
    const answer = await answerTo(session, single);
    session.client.release();
    return toResult(answer);
  } catch (error) {
    session.client.release(error as Error);
    // It was made where the server's answer is read; who asked is what helps.
    Error.captureStackTrace(error as Error);
    throw error;
  }
}

async function answerTo(session: Session, single: Single): Promise<Answer> {
  try {
    return await ask(session, single);
  } catch (error) {
    if (!tellsStale(error)) throw error;
    return ask(session, single); // parsed anew
  }
}

function ask(session: Session, { statement, values }: Single): Promise<Answer> {
  return new Promise((resolve, reject) => {
    sendAlone(session, { statement, values, resolve, reject });
  });
}

const command = /^[A-Za-z]+/;
const count = /\d+$/;

/** A tag is `INSERT 0 1`, `SELECT 5` or `CREATE TABLE`. */
function toResult({ tag, rows }: Answer): QueryResult {
  const counted = count.exec(tag)?.[0];
  return {
    command: command.exec(tag)?.[0] ?? '',
    rowCount: counted === undefined ? null : Number(counted),
    rows: [...rows],
    oid: 0,
    fields: [],
  };
}
