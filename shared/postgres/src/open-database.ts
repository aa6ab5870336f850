import type { DataSource, EntitySchema } from 'typeorm';
import { withTimeout } from '@holdfast/kernel/async';
import type { Log } from '@holdfast/kernel/context';
import { assertServerFit } from './assert-server-fit.js';
import { connectionPoolOn } from './connection-pool.js';
import { createDataSource, type ConnectionOptions } from './data-source.js';
import type { Database } from './database.js';
import { derivePassword } from './derive-password.js';
import { libpqUrl } from './libpq-url.js';
import { readMigrations, runMigrations } from './migrations.js';
import { requireMigrated } from './require-migrated.js';
import { appRoleOf, ownerRoleOf, provisionRoles, schemaOf } from './provision-roles.js';
import { toAppError } from './unavailable.js';

export type OpenDatabaseOptions = {
  /** URL of an administrator, used to create roles and schema; or of the schema's owner, if roles and schema exist. */
  readonly adminUrl: string;
  /** `ledger-balance` has the schema ledger_balance and the roles holdfast_ledger_balance and holdfast_ledger_balance_app. */
  readonly service: string;
  /** The passwords of the roles are derived from it. */
  readonly internalSecret: string;
  /** Folders with numbered SQL files, applied in this order. */
  readonly migrations: readonly string[];
  readonly entities?: readonly EntitySchema[];
  /** Without it roles, schema and migrations must be there already; SERVICE_UNAVAILABLE while they are not. Default: true. */
  readonly migrateAtStart?: boolean;
  readonly log: Log;
  /** Size of `database.pool`. */
  readonly poolMax?: number;
  /** Size of `database.lists`. */
  readonly listPoolMax?: number;
  readonly statementTimeoutMs?: number;
  readonly connectTimeoutMs?: number;
};

/** Connections of `database.lists`, in addition to the connections of `database.pool`. */
const listConnections = 3;
const defaults = { poolMax: 8, listPoolMax: listConnections, statementTimeoutMs: 15_000, connectTimeoutMs: 10_000 } as const;
const pingTimeoutMs = 2_000;
const closeTimeoutMs = 5_000;

type Options = OpenDatabaseOptions & Required<Pick<OpenDatabaseOptions, keyof typeof defaults>>;

/** Creates roles and schema if they are missing, runs pending migrations, and connects as the application role. */
export async function openDatabase(given: OpenDatabaseOptions): Promise<Database> {
  const options = optionsOf(given);
  try {
    if (options.migrateAtStart === false) await requireReady(options);
    else await provisionAndMigrate(options);
    return await connect(options);
  } catch (error) {
    throw toAppError(error);
  }
}

/** Only the login of the serving role is needed, because an administrator has prepared everything. */
async function requireReady(options: Options): Promise<void> {
  const serving = connectionAs(appRoleOf(options.service), options);
  await requireMigrated(serving, options);
  await assertServerFit({ ...options, adminUrl: serving.url, connections: options.poolMax + options.listPoolMax });
}

export type MigrateOptions = Pick<OpenDatabaseOptions, 'adminUrl' | 'service' | 'internalSecret' | 'migrations' | 'log'>;

/** Creates roles and schema if they are missing, and runs pending migrations. Resolves to the migrations that it applied. */
export async function migrateDatabase(given: MigrateOptions): Promise<readonly string[]> {
  try {
    return await provisionAndMigrate(optionsOf(given));
  } catch (error) {
    throw toAppError(error);
  }
}

async function provisionAndMigrate(options: Options): Promise<readonly string[]> {
  await assertServerFit({ ...options, connections: options.poolMax + options.listPoolMax });
  if (userOf(options.adminUrl) !== ownerRoleOf(options.service))
    await provisionRoles({ ...options, passwordOf: passwords(options) });
  return migrate(options);
}

/** Connects to an existing schema without creating or migrating anything: for commands beside a running installation. */
export async function connectDatabase(given: Omit<OpenDatabaseOptions, 'migrations'>): Promise<Database> {
  try {
    return await connect(optionsOf({ ...given, migrations: [] }));
  } catch (error) {
    throw toAppError(error);
  }
}

function optionsOf(given: OpenDatabaseOptions): Options {
  return { ...defaults, ...given, adminUrl: libpqUrl(given.adminUrl) };
}

function userOf(url: string): string {
  return decodeURIComponent(new URL(url).username);
}

function passwords({ internalSecret }: OpenDatabaseOptions): (role: string) => string {
  return (role) => derivePassword(internalSecret, role);
}

function connectionAs(role: string, options: Options): ConnectionOptions {
  const url = new URL(options.adminUrl);
  if (userOf(options.adminUrl) !== role) {
    url.username = role;
    url.password = encodeURIComponent(passwords(options)(role));
  }
  return { ...options, url: url.toString() };
}

/** Runs as the owner of the schema and closes its connections afterwards, so that a running service cannot change tables. */
async function migrate(options: Options): Promise<readonly string[]> {
  const files = readMigrations(options.migrations);
  const connection = connectionAs(ownerRoleOf(options.service), options);
  const applied = await runMigrations(connection, { files, appRole: appRoleOf(options.service) });
  if (applied.length > 0) options.log.info({ schema: schemaOf(options.service), applied: applied.length }, 'migrations applied');
  return applied;
}

async function connect(options: Options): Promise<Database> {
  const connection = connectionAs(appRoleOf(options.service), options);
  const { entities = [], poolMax, listPoolMax, log } = options;
  const lookups = createDataSource({ ...connection, entities, poolMax });
  const lists = createDataSource({ ...connection, entities, poolMax: listPoolMax });
  await Promise.all([lookups.initialize(), lists.initialize()]);
  const pool = connectionPoolOn(lookups, log);
  return {
    schema: schemaOf(options.service),
    pool,
    lists: connectionPoolOn(lists, log),
    inTransaction: pool.inTransaction,
    ping: async () => {
      await withTimeout(pool.query('select 1'), pingTimeoutMs, () => toAppError(new Error('Query read timeout')) as Error);
    },
    close: () => close([lookups, lists], log),
  };
}

/** Waits for connections in use, up to a timeout. */
async function close(sources: readonly DataSource[], log: Log): Promise<void> {
  const open = sources.filter(({ isInitialized }) => isInitialized);
  try {
    const closed = Promise.all(open.map((source) => source.destroy()));
    await withTimeout(closed, closeTimeoutMs, () => new Error('connections are still in use'));
  } catch (error) {
    log.warn({ error }, 'the database was closed while connections were in use');
  }
}
