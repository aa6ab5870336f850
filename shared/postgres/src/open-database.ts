import type { DataSource, EntitySchema } from 'typeorm';
import { withTimeout } from '@holdfast/kernel/async';
import type { Log } from '@holdfast/kernel/context';
import { connectionPoolOn } from './connection-pool.js';
import { connectionConfig, createDataSource, type ConnectionOptions } from './data-source.js';
import type { Database } from './database.js';
import { derivePassword } from './derive-password.js';
import { readMigrations, runMigrations, toMigrationClass } from './migrations.js';
import { appRoleOf, ownerRoleOf, provisionRoles, schemaOf } from './provision-roles.js';
import { toAppError } from './unavailable.js';

export type OpenDatabaseOptions = {
  /** The administrator's URL, used to create roles and schema; or the URL of the schema's owner, when all of them exist already. */
  readonly adminUrl: string;
  /** `ledger-balance` has the schema ledger_balance, owned by holdfast_ledger_balance and used by holdfast_ledger_balance_app. */
  readonly service: string;
  /** The roles' passwords follow from it. */
  readonly internalSecret: string;
  /** Folders of numbered SQL files, applied in this order. */
  readonly migrations: readonly string[];
  readonly entities?: readonly EntitySchema[];
  readonly log: Log;
  /** Connections for look-ups by key and for what callers wait for. */
  readonly poolMax?: number;
  /** Connections for lists, jobs and proofs. */
  readonly listPoolMax?: number;
  readonly statementTimeoutMs?: number;
  readonly connectTimeoutMs?: number;
};

const defaults = { poolMax: 8, listPoolMax: 3, statementTimeoutMs: 15_000, connectTimeoutMs: 5_000 } as const;
const pingTimeoutMs = 2_000;
const closeTimeoutMs = 5_000;

type Options = OpenDatabaseOptions & Required<Pick<OpenDatabaseOptions, keyof typeof defaults>>;

/** Creates roles and schema if need be, applies what migrations are missing, and connects as the role that serves. */
export async function openDatabase(given: OpenDatabaseOptions): Promise<Database> {
  const options: Options = { ...defaults, ...given };
  try {
    if (userOf(options.adminUrl) !== ownerRoleOf(options.service))
      await provisionRoles({ ...options, passwordOf: passwords(options) });
    await migrate(options);
    return await connect(options);
  } catch (error) {
    throw toAppError(error);
  }
}

/** Connects to what exists already and changes nothing: for commands beside a running installation. */
export async function connectDatabase(given: Omit<OpenDatabaseOptions, 'migrations'>): Promise<Database> {
  try {
    return await connect({ ...defaults, ...given, migrations: [] });
  } catch (error) {
    throw toAppError(error);
  }
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

/** As the owner, whose connections are closed again: no process that serves can change a table. */
async function migrate(options: Options): Promise<void> {
  const files = readMigrations(options.migrations);
  const connection = connectionAs(ownerRoleOf(options.service), options);
  const owner = createDataSource({ ...connection, poolMax: 1, migrations: files.map(toMigrationClass) });
  await owner.initialize();
  try {
    const applied = await runMigrations(owner, connectionConfig(connection), { files, appRole: appRoleOf(options.service) });
    if (applied > 0) options.log.info({ schema: schemaOf(options.service), applied }, 'migrations applied');
  } finally {
    await owner.destroy();
  }
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

/** Waits for connections in use, but not without end: whoever still holds one is cut off by the process ending. */
async function close(sources: readonly DataSource[], log: Log): Promise<void> {
  const open = sources.filter(({ isInitialized }) => isInitialized);
  try {
    const closed = Promise.all(open.map((source) => source.destroy()));
    await withTimeout(closed, closeTimeoutMs, () => new Error('connections are still in use'));
  } catch (error) {
    log.warn({ error }, 'the database was closed while connections were in use');
  }
}
