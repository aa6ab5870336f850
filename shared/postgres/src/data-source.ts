import pg, { type Client, type ClientBase, type PoolConfig } from 'pg';
import { DataSource, type EntitySchema, type Logger, type MigrationInterface, type QueryRunner } from 'typeorm';
import type { Log } from '@holdfast/kernel/context';
import { isReusableAfter } from './connection.js';
import { schemaOf } from './provision-roles.js';
import { typeParsers } from './type-parsers.js';

export type ConnectionOptions = {
  /** Includes user and password. */
  readonly url: string;
  readonly service: string;
  readonly log: Log;
  readonly statementTimeoutMs: number;
  readonly connectTimeoutMs: number;
};

type DataSourceOptions = ConnectionOptions & {
  readonly poolMax: number;
  readonly entities?: readonly EntitySchema[];
  readonly migrations?: readonly (new () => MigrationInterface)[];
};

/** The client's timeout is a little longer than the server's, and only applies if the server does not respond at all. */
const clientTimeoutMarginMs = 2_000;
const idleTimeoutMs = 30_000;
/** Prepared statements have cached plans as long as their connection lives; a new connection plans with current statistics. */
const connectionLifetimeSeconds = 600;

/** The driver's configuration of a connection. */
export function connectionConfig({ url, service, statementTimeoutMs, connectTimeoutMs }: ConnectionOptions): PoolConfig {
  return {
    connectionString: url,
    application_name: `holdfast-${service}`,
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: statementTimeoutMs,
    query_timeout: statementTimeoutMs + clientTimeoutMarginMs,
    idle_in_transaction_session_timeout: statementTimeoutMs + clientTimeoutMarginMs,
    options: `-c search_path=${schemaOf(service)} -c TimeZone=UTC -c DateStyle=ISO`,
    keepAlive: true,
    types: typeParsers,
  };
}

/** A TypeORM data source. Its connections pipeline statements that are issued without awaiting each other. */
export function createDataSource(options: DataSourceOptions): DataSource {
  const { service, poolMax, entities = [], migrations = [], log } = options;
  const source: DataSource = new DataSource({
    type: 'postgres',
    driver: pg, // else TypeORM looks for it in node_modules
    schema: schemaOf(service),
    entities: [...entities],
    migrations: [...migrations],
    installExtensions: false,
    logger: silentLogger,
    extra: {
      ...connectionConfig(options),
      pipeline: true,
      max: poolMax,
      idleTimeoutMillis: idleTimeoutMs,
      maxLifetimeSeconds: connectionLifetimeSeconds,
      // The server may close a connection before pool or TypeORM have an error listener; the error would crash the process.
      onConnect: (client: ClientBase) => void client.on('error', ignore),
    },
    // The pool replaces an idle connection that breaks; without a listener the error would crash the process. The pool attaches its
    // whole client to the error, so only the message is logged. A server that stops right after `destroy` may break connections that are
    // being closed, which does no harm.
    poolErrorHandler: ({ message: reason }: Error) => {
      if (source.isInitialized) log.warn({ reason }, 'an idle database connection was lost');
    },
  });
  return source;
}

const ignore = (): void => undefined;

const end = (client: Client): Promise<void> => client.end();

/** TypeORM would return a connection to the pool whose response to a statement may still arrive; the pool discards an ended one. */
function endIfBroken(error: unknown, runner: QueryRunner | undefined): void {
  if (runner === undefined || isReusableAfter(error)) return;
  void runner.connect().then(end).catch(ignore);
}

/** TypeORM prints failed migrations even with logging off; it also throws the error, which we log. */
const silentLogger: Logger = {
  log: ignore,
  logMigration: ignore,
  logQuery: ignore,
  logQueryError: (error, _query, _parameters, runner) => endIfBroken(error, runner),
  logQuerySlow: ignore,
  logSchemaBuild: ignore,
};
