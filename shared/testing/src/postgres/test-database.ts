import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Pool } from 'pg';
import type { EntitySchema } from 'typeorm';
import { openDatabase, type Database } from '@holdfast/postgres';
import type { Log } from '@holdfast/kernel/context';
import { silentLog } from '../log/index.js';
import { assertNoneParked, type Parked } from '../parked/index.js';
import { testServerUrl } from '../servers/index.js';
import { copyMigrated, type MigratedSchema } from './migrated-template.js';
import { runAsAdmin, withDatabase } from './run-as-admin.js';

export type OpenForTest = {
  readonly service: string;
  readonly migrations: readonly string[];
  readonly entities?: readonly EntitySchema[];
  readonly poolMax?: number;
  readonly log?: Log;
  readonly statementTimeoutMs?: number;
  readonly connectTimeoutMs?: number;
  /** False for the schemas that were copied, unless the test has further migrations. */
  readonly migrateAtStart?: boolean;
};

/** A database for one test file, on the server that all test files share. */
export type TestDatabase = {
  readonly adminUrl: string;
  /** The secret from which role passwords are derived. It is the same in all test files, because roles belong to the server. */
  readonly internalSecret: string;
  /** Opens the schema of a service. `drop` closes it. */
  readonly open: (options: OpenForTest) => Promise<Database>;
  /** Writes SQL files to a temporary folder of migrations and returns its path. */
  readonly migrations: (files: Readonly<Record<string, string>>) => string;
  /** Runs one statement as administrator. */
  readonly asAdmin: <Row>(sql: string, parameters?: readonly unknown[]) => Promise<readonly Row[]>;
  /** Terminates every connection but the administrator's and refuses new ones, or accepts them again. */
  readonly setUnavailable: (isUnavailable: boolean) => Promise<void>;
  /** Deletes and returns the parked messages of all services, for tests that expect them. */
  readonly takeParked: () => Promise<readonly Parked[]>;
  /** Closes and deletes the database, then throws if messages are parked that no test has taken. */
  readonly drop: () => Promise<void>;
};

const internalSecret = 'holdfast-tests-only';
/** Small, because test files run in parallel and share the connection limit of the server. */
const defaultPoolMax = 5;
const adminPoolMax = 3;

/** The schemas that it is given are there already, as copies from a template; without any, the database is empty. */
export async function testDatabase(...schemas: readonly MigratedSchema[]): Promise<TestDatabase> {
  const serverUrl = await testServerUrl('postgres');
  const name = `test_${randomBytes(6).toString('hex')}`;
  if (schemas.length === 0) await runAsAdmin(serverUrl, `create database ${name}`);
  else await copyMigrated(serverUrl, name, { internalSecret, schemas });
  const adminUrl = withDatabase(serverUrl, name);
  const admin = adminPool(adminUrl);
  const asAdmin: TestDatabase['asAdmin'] = async <Row>(sql: string, parameters: readonly unknown[] = []) =>
    (await admin.query(sql, [...parameters])).rows as readonly Row[];
  const opened: Database[] = [];
  const folders: string[] = [];
  return {
    adminUrl,
    internalSecret,
    open: async (options) => {
      const database = await openDatabase({
        poolMax: defaultPoolMax,
        listPoolMax: 2,
        log: silentLog,
        migrateAtStart: !schemas.some(({ service }) => service === options.service),
        ...options,
        adminUrl,
        internalSecret,
      });
      opened.push(database);
      return database;
    },
    migrations: (files) => {
      const folder = mkdtempSync(path.join(tmpdir(), 'holdfast-migrations-'));
      folders.push(folder);
      for (const [name, sql] of Object.entries(files)) writeFileSync(path.join(folder, name), sql);
      return folder;
    },
    asAdmin,
    setUnavailable: async (isUnavailable) => {
      await runAsAdmin(serverUrl, `alter database ${name} with allow_connections ${String(!isUnavailable)}`);
      if (isUnavailable) await runAsAdmin(serverUrl, terminateOthers, [name, adminName]);
    },
    takeParked: () => takeParked(asAdmin),
    drop: async () => {
      await Promise.all(opened.map((database) => database.close()));
      for (const folder of folders) rmSync(folder, { recursive: true });
      const parked = await takeParked(asAdmin);
      await admin.end();
      await runAsAdmin(serverUrl, `drop database ${name} with (force)`);
      assertNoneParked(parked);
    },
  };
}

/** Tests poll with statements of the administrator, and a new connection costs more than most of them. */
function adminPool(connectionString: string): Pool {
  const pool = new Pool({ connectionString, max: adminPoolMax, application_name: adminName });
  pool.on('error', () => undefined); // the statement that uses the connection fails
  return pool;
}

const adminName = 'test-administrator';
const terminateOthers = `
  select pg_terminate_backend(pid, 5000)
  from pg_stat_activity
  where datname = $1
    and application_name <> $2`;

const parkedTable = 'parked_messages';

/** Each service keeps its parked messages in its own schema, which is named like its queue. */
async function takeParked(asAdmin: TestDatabase['asAdmin']): Promise<readonly Parked[]> {
  const schemas = await asAdmin<{ readonly schema: string }>(
    'select schemaname as schema from pg_tables where tablename = $1 order by schemaname',
    [parkedTable],
  );
  const taken = schemas.map(async ({ schema }) => {
    const rows = await asAdmin<Omit<Parked, 'queue'>>(
      `delete from "${schema}".${parkedTable} returning message_id as "messageId", type, attempts, reason`,
    );
    return rows.map((row) => ({ ...row, queue: schema.replaceAll('_', '-') }));
  });
  return (await Promise.all(taken)).flat();
}
