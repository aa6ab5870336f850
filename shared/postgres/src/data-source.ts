import type { ClientBase, PoolConfig } from 'pg';
import { DataSource, type EntitySchema, type Logger, type MigrationInterface } from 'typeorm';
import type { Log } from '@holdfast/kernel/context';
import { schemaOf } from './provision-roles.js';
import { typeParsers } from './type-parsers.js';

export type ConnectionOptions = {
  /** With the login of the role that connects. */
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

/** The client gives up a little after the server should have, for servers that vanish without a word. */
const clientTimeoutMarginMs = 2_000;
const idleTimeoutMs = 30_000;
/** Prepared statements keep their plans as long as their connection: a new one plans with the statistics of today. */
const connectionLifetimeSeconds = 600;

/** What the driver is told of every connection. */
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

/** TypeORM with the driver's own pool, whose connections pipeline statements that are issued together. */
export function createDataSource(options: DataSourceOptions): DataSource {
  const { service, poolMax, entities = [], migrations = [], log } = options;
  return new DataSource({
    type: 'postgres',
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
      // The server may end a connection in the moment it is made, when neither pool nor mapper listens: that would end the process.
      onConnect: (client: ClientBase) => void client.on('error', ignore),
    },
    // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
    poolErrorHandler: (error: Error) => {
      log.warn({ error }, 'an idle database connection was lost');
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
