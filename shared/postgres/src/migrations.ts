import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { Client, escapeIdentifier } from 'pg';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { assertSchemaVersion, recordedName } from './assert-schema-version.js';
import { connectionConfig, createDataSource, type ConnectionOptions } from './data-source.js';
import type { MigrationFile } from './migration-file.js';

const fileNamePattern = /^(\d{4})-[a-z0-9-]+\.sql$/;
/** The first line of a migration. */
const compatiblePattern = /^-- compatible since (\d{4})\n/;
const checksumDigits = 16;
/** TypeORM sorts migrations by the last 13 characters of their name, which must be a number. */
const groupStep = 1_000_000_000_000;
const lockTimeoutMs = 120_000;

/** The files of all folders in the order of execution: by folder, then by number. */
export function readMigrations(folders: readonly string[]): readonly MigrationFile[] {
  return folders.flatMap((folder, index) => readFolder(folder, (index + 1) * groupStep));
}

function readFolder(folder: string, base: number): readonly MigrationFile[] {
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort();
  const numbers = new Map<string, string>();
  return names.map((name) => {
    const number = fileNamePattern.exec(name)?.[1];
    if (number === undefined)
      throw new Error(`The migration ${path.join(folder, name)} must be named like 0001-what-it-does.sql.`);
    const other = numbers.get(number);
    if (other !== undefined) throw new Error(`Two migrations in ${folder} have the number ${number}: ${other} and ${name}.`);
    numbers.set(number, name);
    return readFile(path.join(folder, name), { group: groupOf(folder), number: Number(number), base });
  });
}

type Place = Pick<MigrationFile, 'group' | 'number'> & { readonly base: number };

/** The checksum leaves out the line of the compatibility, because that line changes no table. */
function readFile(file: string, { group, number, base }: Place): MigrationFile {
  const sql = readFileSync(file, 'utf8').replaceAll('\r\n', '\n');
  const checksum = createHash('sha256').update(sql.replace(compatiblePattern, '')).digest('hex').slice(0, checksumDigits);
  const compatibleSince = Number(compatiblePattern.exec(sql)?.[1] ?? number);
  if (compatibleSince > number) throw new Error(`The migration ${file} is compatible since a later version than its own.`);
  return { key: `${group}/${path.basename(file)}`, group, number, compatibleSince, sql, checksum, order: base + number };
}

/** `shared/messaging/migrations/messaging` is the group messaging, `services/orders/migrations` the group orders. */
function groupOf(folder: string): string {
  const absolute = path.resolve(folder);
  const name = path.basename(absolute);
  return name === 'migrations' ? path.basename(path.dirname(absolute)) : name;
}

/** The class that TypeORM constructs for an SQL file. */
function toMigrationClass(file: MigrationFile): new () => MigrationInterface {
  return class implements MigrationInterface {
    readonly name = recordedName(file);

    up(runner: QueryRunner): Promise<void> {
      return apply(file, runner);
    }

    down(): Promise<never> {
      return Promise.reject(new Error('Migrations go forward only.'));
    }
  };
}

async function apply(file: MigrationFile, runner: QueryRunner): Promise<void> {
  try {
    await runner.query('set local statement_timeout = 0');
    await runner.query(file.sql);
  } catch (cause) {
    throw new Error(`The migration ${file.key} failed: ${(cause as Error).message}`, { cause });
  }
}

type PendingMigrations = { readonly files: readonly MigrationFile[]; readonly appRole: string };

/** Applies the missing migrations under an advisory lock, so that processes that start at the same time run them once. */
export async function runMigrations(
  connection: ConnectionOptions,
  { files, appRole }: PendingMigrations,
): Promise<readonly string[]> {
  const lockClient = new Client({
    ...connectionConfig(connection),
    statement_timeout: lockTimeoutMs,
    query_timeout: lockTimeoutMs,
  });
  lockClient.on('error', () => undefined); // A lost connection releases the lock; the running statement reports the error.
  await lockClient.connect();
  try {
    await lockClient.query(`select pg_advisory_lock(hashtextextended('holdfast:migrate:' || current_schema(), 0))`);
    const { missing } = assertSchemaVersion(await readApplied(lockClient), files);
    if (missing.length === 0) return [];
    const applied = await applyFiles(
      connection,
      files.filter(({ key }) => missing.includes(key)),
    );
    await finishMigrations(lockClient, appRole);
    return applied;
  } finally {
    await lockClient.end();
  }
}

/** TypeORM gets the missing files only: it would compare names, and a file's name has the place of its folder, which may change. */
async function applyFiles(connection: ConnectionOptions, files: readonly MigrationFile[]): Promise<readonly string[]> {
  const owner = createDataSource({ ...connection, poolMax: 1, migrations: files.map(toMigrationClass) });
  await owner.initialize();
  try {
    return (await owner.runMigrations({ transaction: 'each' })).map(({ name }) => keyOf(name));
  } finally {
    await owner.destroy();
  }
}

function keyOf(recorded: string): string {
  return recorded.split(' ', 1)[0] ?? recorded;
}

/**
 * Analyzes the tables that have rows, and makes the table `migrations` read-only for the application role. For an empty table that was
 * analyzed Postgres plans sequential scans, and keeps such a plan while the table grows; for one that was not it expects some pages.
 */
async function finishMigrations(client: Client, appRole: string): Promise<void> {
  await client.query(`revoke insert, update, delete on migrations from ${escapeIdentifier(appRole)}`);
  const { rows } = await client.query<{ readonly name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = current_schema()`,
  );
  for (const { name } of rows) {
    const { rowCount } = await client.query(`select from ${name} limit 1`);
    if (rowCount !== 0) await client.query(`analyze ${name}`);
  }
}

/** The names in the table `migrations`, in the order in which they were applied. */
export async function readApplied(client: Client): Promise<readonly string[]> {
  const { rowCount } = await client.query(
    `select from pg_tables where schemaname = current_schema() and tablename = 'migrations'`,
  );
  if (rowCount === 0) return [];
  const { rows } = await client.query<{ readonly name: string }>('select name from migrations order by id');
  return rows.map((row) => row.name);
}
