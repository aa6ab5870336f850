import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { Client, escapeIdentifier, type ClientConfig } from 'pg';
import type { DataSource, MigrationInterface, QueryRunner } from 'typeorm';

/** A numbered SQL file. The table `migrations` records its group, name and checksum. */
export type MigrationFile = { readonly key: string; readonly sql: string; readonly checksum: string; readonly order: number };

const fileNamePattern = /^(\d{4})-[a-z0-9-]+\.sql$/;
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
    const sql = readFileSync(path.join(folder, name), 'utf8').replaceAll('\r\n', '\n');
    const checksum = createHash('sha256').update(sql).digest('hex').slice(0, checksumDigits);
    return { key: `${groupOf(folder)}/${name}`, sql, checksum, order: base + Number(number) };
  });
}

/** `shared/messaging/migrations/messaging` is the group messaging, `services/orders/migrations` the group orders. */
function groupOf(folder: string): string {
  const absolute = path.resolve(folder);
  const name = path.basename(absolute);
  return name === 'migrations' ? path.basename(path.dirname(absolute)) : name;
}

/** The class that TypeORM constructs for an SQL file. */
export function toMigrationClass(file: MigrationFile): new () => MigrationInterface {
  return class implements MigrationInterface {
    readonly name = `${file.key} ${file.checksum} ${file.order}`;

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

/** Applies the missing migrations under an advisory lock, so that replicas that start at the same time run them once. */
export async function runMigrations(
  owner: DataSource,
  connection: ClientConfig,
  { files, appRole }: PendingMigrations,
): Promise<number> {
  const lockClient = new Client({ ...connection, statement_timeout: lockTimeoutMs, query_timeout: lockTimeoutMs });
  lockClient.on('error', () => undefined); // A lost connection releases the lock; the running statement reports the error.
  await lockClient.connect();
  try {
    await lockClient.query(`select pg_advisory_lock(hashtextextended('holdfast:migrate:' || current_schema(), 0))`);
    assertKnownHistory(await readApplied(lockClient), files);
    const applied = await owner.runMigrations({ transaction: 'each' });
    if (applied.length > 0) await finishMigrations(lockClient, appRole);
    return applied.length;
  } finally {
    await lockClient.end();
  }
}

/** Analyzes the tables, so that new ones have statistics, and makes the table `migrations` read-only for the application role. */
async function finishMigrations(client: Client, appRole: string): Promise<void> {
  await client.query(`revoke insert, update, delete on migrations from ${escapeIdentifier(appRole)}`);
  const { rows } = await client.query<{ readonly name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = current_schema()`,
  );
  for (const { name } of rows) await client.query(`analyze ${name}`);
}

async function readApplied(client: Client): Promise<readonly string[]> {
  const { rowCount } = await client.query(
    `select from pg_tables where schemaname = current_schema() and tablename = 'migrations'`,
  );
  if (rowCount === 0) return [];
  const { rows } = await client.query<{ readonly name: string }>('select name from migrations order by id');
  return rows.map((row) => row.name);
}

function assertKnownHistory(applied: readonly string[], files: readonly MigrationFile[]): void {
  const known = new Map(files.map((file) => [file.key, file]));
  for (const name of applied) {
    const [key = '', checksum] = name.split(' ');
    const file = known.get(key);
    if (file === undefined) {
      throw new Error(
        `The data were written by a newer version: it applied the migration ${key}, which this version does not have. Start the newer version.`,
      );
    }
    if (file.checksum !== checksum) {
      throw new Error(
        `The tables of these data were made by another edition of the migration ${key}, and do not fit this version. Nothing was changed in them. ` +
          'To keep the data, start the version that wrote them; to delete the data of npm start and begin anew, run: npm run reset',
      );
    }
  }
}
