import type { Pool, PoolConfig } from 'pg';
import { DataSource, type EntitySchema, type Logger } from 'typeorm';
import type { Log } from '../context/index.js';
import type { Database } from './database.js';
import { readMigrations, runMigrations, toTypeormMigration } from './migrations.js';
import { provisionRole, roleOf, schemaOf } from './provision-role.js';
import { sessionsOf } from './sessions.js';
import { sendSingly } from './single-statement.js';
import { transactions } from './transactions.js';
import { typeParsers } from './type-parsers.js';
import { toAppError } from './unavailable.js';

export type OpenDatabaseOptions = {
  /** The administrator's URL, used to create role and schema; or the service role's own URL, when both exist already. */
  readonly adminUrl: string;
  /** `ledger-balance` logs in as holdfast_ledger_balance and owns the schema ledger_balance. */
  readonly service: string;
  /** The role's password; see `derivePassword`. */
  readonly password: string;
  /** Folders of numbered SQL files, applied in this order. */
  readonly migrations: readonly string[];
  readonly entities?: readonly EntitySchema[];
  readonly poolMax: number;
  readonly log: Log;
  readonly statementTimeoutMs?: number;
  readonly connectTimeoutMs?: number;
};

const defaultStatementTimeoutMs = 15_000;
const defaultConnectTimeoutMs = 5_000;
/** The client gives up a little after the server should have, for servers that vanish without a word. */
const silentServerMarginMs = 2_000;
/**
 * Named statements take arrays of any length. Left to itself, the server would plan them anew for each length it sees. A plan
 * that is made once, often while the tables are still empty, must suit full ones: it reads no table as a whole where an index serves.
 */
const planOnce = '-c plan_cache_mode=force_generic_plan -c enable_seqscan=off';
const idleTimeoutMs = 30_000;
const pingTimeoutMs = 2_000;
const closeTimeoutMs = 5_000;

/** Creates role and schema if need be, applies what migrations are missing, and gives the service its database. */
export async function openDatabase(options: OpenDatabaseOptions): Promise<Database> {
  const connectTimeoutMs = options.connectTimeoutMs ?? defaultConnectTimeoutMs;
  const files = readMigrations(options.migrations);
  try {
    const role = roleOf(options.service);
    if (userOf(options.adminUrl) !== role) await provisionRole({ ...options, connectTimeoutMs });
    const connection = connectionFor(options, connectTimeoutMs);
    const dataSource = buildDataSource(options, connection, files.map(toTypeormMigration));
    await dataSource.initialize();
    try {
      const applied = await runMigrations(dataSource, connection, files);
      if (applied > 0) options.log.info({ schema: schemaOf(options.service), applied }, 'migrations applied');
    } catch (error) {
      await dataSource.destroy();
      throw error;
    }
    return toDatabase(options, dataSource);
  } catch (error) {
    throw toAppError(error);
  }
}

/** Logs in to what exists already and changes nothing: for commands beside a running installation. */
export async function connectDatabase(given: Omit<OpenDatabaseOptions, 'migrations' | 'entities'>): Promise<Database> {
  const options: OpenDatabaseOptions = { ...given, migrations: [] };
  const connection = connectionFor(options, options.connectTimeoutMs ?? defaultConnectTimeoutMs);
  try {
    return toDatabase(options, await buildDataSource(options, connection, []).initialize());
  } catch (error) {
    throw toAppError(error);
  }
}

function userOf(url: string): string {
  return decodeURIComponent(new URL(url).username);
}

function connectionFor(options: OpenDatabaseOptions, connectTimeoutMs: number): PoolConfig {
  const url = new URL(options.adminUrl);
  const role = roleOf(options.service);
  if (userOf(options.adminUrl) !== role) {
    url.username = role;
    url.password = encodeURIComponent(options.password);
  }
  const statementTimeoutMs = options.statementTimeoutMs ?? defaultStatementTimeoutMs;
  return {
    connectionString: url.toString(),
    application_name: `holdfast-${options.service}`,
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: statementTimeoutMs,
    query_timeout: statementTimeoutMs + silentServerMarginMs,
    idle_in_transaction_session_timeout: statementTimeoutMs + silentServerMarginMs,
    options: `-c search_path=${schemaOf(options.service)} -c TimeZone=UTC -c DateStyle=ISO ${planOnce}`,
    keepAlive: true,
    types: typeParsers,
  };
}

function buildDataSource(
  options: OpenDatabaseOptions,
  connection: PoolConfig,
  migrations: readonly (new () => unknown)[],
): DataSource {
  return new DataSource({
    type: 'postgres',
    schema: schemaOf(options.service),
    entities: [...(options.entities ?? [])],
    migrations: [...migrations],
    installExtensions: false,
    logger: silentLogger,
    extra: { ...connection, max: options.poolMax, idleTimeoutMillis: idleTimeoutMs },
    // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
    poolErrorHandler: (error: Error) => {
      options.log.warn({ error }, 'an idle database connection was lost');
    },
  });
}

const ignore = (): void => undefined;

/** TypeORM prints failed migrations even when its logging is off; the error it throws says the same. */
const silentLogger: Logger = {
  log: ignore,
  logMigration: ignore,
  logQuery: ignore,
  logQueryError: ignore,
  logQuerySlow: ignore,
  logSchemaBuild: ignore,
};

function toDatabase(options: OpenDatabaseOptions, dataSource: DataSource): Database {
  const { master: pool } = dataSource.driver as unknown as { readonly master: Pool };
  const takeSession = sessionsOf(pool);
  sendSingly(pool, takeSession);
  return {
    schema: schemaOf(options.service),
    pool,
    dataSource,
    inTransaction: transactions({ takeSession, dataSource, log: options.log }),
    ping: () => ping(pool),
    close: () => close(dataSource, options.log),
  };
}

async function ping(pool: Pool): Promise<void> {
  const answer = pool.query('select 1').then(
    () => undefined,
    (error: unknown) => Promise.reject(toAppError(error) as Error),
  );
  await within(answer, pingTimeoutMs, () => toAppError(new Error('Query read timeout')) as Error);
}

/** Waits for connections in use, but not without end: whoever still holds one is cut off by the process ending. */
async function close(dataSource: DataSource, log: Log): Promise<void> {
  if (!dataSource.isInitialized) return;
  try {
    await within(dataSource.destroy(), closeTimeoutMs, () => new Error('connections are still in use'));
  } catch (error) {
    log.warn({ error }, 'the database was closed with connections in use');
  }
}

async function within<T>(work: Promise<T>, limitMs: number, toError: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(toError());
    }, limitMs);
  });
  return Promise.race([work, limit]).finally(() => {
    clearTimeout(timer);
  });
}
