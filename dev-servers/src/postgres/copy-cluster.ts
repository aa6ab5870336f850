import { chmod, copyFile, mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Client } from 'pg';
import { reasonOf } from './processes.js';

export type ClusterCopy = {
  /** The same in all copies of a cluster. */
  readonly systemIdentifier: string;
  /** The write-ahead log between these positions makes the copy consistent; it is part of the copy. */
  readonly walStart: string;
  readonly walStop: string;
};

const connectTimeoutMs = 10_000;

/** Postgres creates the content of these folders at its start; the needed part of the write-ahead log is copied at the end. */
const emptiedFolders: ReadonlySet<string> = new Set([
  'pg_dynshmem',
  'pg_notify',
  'pg_replslot',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
  'pg_wal',
]);
const leftOutFiles: ReadonlySet<string> = new Set(['postmaster.pid', 'postmaster.opts', 'pg_internal.init']);
const temporaryPrefix = 'pgsql_tmp';
const walSegment = /^[0-9A-F]{24}$/;

/**
 * Copies the files of a running server with the low-level backup API of Postgres, while its clients continue. A start on the copy recovers
 * the state at the end of this call. A temporary replication slot keeps the write-ahead log until it is copied; the server drops it with
 * the connection, however this process ends. See ADR 0066.
 */
export async function copyCluster(url: string, target: string): Promise<ClusterCopy> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: connectTimeoutMs });
  client.on('error', () => undefined); // The running statement reports the error.
  await client.connect();
  try {
    await client.query('select pg_create_physical_replication_slot($1, true, true)', [`holdfast_backup_${process.pid}`]);
    const source = await valueOf(client, `select current_setting('data_directory') as value`);
    const systemIdentifier = await valueOf(client, 'select system_identifier::text as value from pg_control_system()');
    const walStart = await valueOf(client, `select pg_backup_start('holdfast', true)::text as value`);
    await copyFolder(source, target);
    const walStop = await stopBackup(client, target);
    await copyWal(client, { source, target, walStart, walStop });
    return { systemIdentifier, walStart, walStop };
  } finally {
    await client.end();
  }
}

async function valueOf(client: Client, sql: string, values: readonly string[] = []): Promise<string> {
  const { rows } = await client.query<{ readonly value: string }>(sql, [...values]);
  if (rows[0] === undefined) throw new Error('The database server returned no row.');
  return rows[0].value;
}

type Stopped = { readonly walStop: string; readonly label: string; readonly tablespaces: string };

/** The label makes a start on the copy recover from the beginning of the backup. It may only be in the copy. */
async function stopBackup(client: Client, target: string): Promise<string> {
  const { rows } = await client.query<Stopped>(
    `select lsn::text as "walStop", labelfile as label, spcmapfile as tablespaces from pg_backup_stop(false)`,
  );
  const [stopped] = rows;
  if (stopped === undefined) throw new Error('The database server returned no row.');
  if (stopped.tablespaces.trim() !== '') throw new Error('The database has tablespaces, and they are not backed up.');
  await writeFile(path.join(target, 'backup_label'), stopped.label, { mode: 0o600 });
  return stopped.walStop;
}

type WalRange = Pick<ClusterCopy, 'walStart' | 'walStop'> & { readonly source: string; readonly target: string };

async function copyWal(client: Client, { source, target, walStart, walStop }: WalRange): Promise<void> {
  const segmentOf = (position: string): Promise<string> =>
    valueOf(client, 'select pg_walfile_name($1::pg_lsn) as value', [position]);
  const [first, last] = [await segmentOf(walStart), await segmentOf(walStop)];
  const segments = (await readdir(path.join(source, 'pg_wal'))).filter(
    (name) => walSegment.test(name) && name >= first && name <= last,
  );
  for (const needed of [first, last])
    if (!segments.includes(needed)) throw new Error(`The write-ahead log ${needed} is missing: the backup would not be usable.`);
  for (const name of segments) await copyOne(path.join(source, 'pg_wal', name), path.join(target, 'pg_wal', name));
}

/** Files may appear and vanish meanwhile: the write-ahead log repeats what happened to them. */
async function copyFolder(source: string, target: string): Promise<void> {
  await mkdir(target, { mode: 0o700, recursive: true });
  for (const entry of await readdir(source, { withFileTypes: true }).catch(noneIfGone)) {
    if (leftOutFiles.has(entry.name) || entry.name.startsWith(temporaryPrefix)) continue;
    const [from, to] = [path.join(source, entry.name), path.join(target, entry.name)];
    if (entry.isFile()) await copyOne(from, to);
    else if (!entry.isDirectory()) throw new Error(`${from} is neither a file nor a folder, and cannot be backed up.`);
    else if (emptiedFolders.has(entry.name)) await mkdir(to, { mode: 0o700 });
    else await copyFolder(from, to);
  }
}

async function copyOne(from: string, to: string): Promise<void> {
  try {
    await copyFile(from, to);
    await chmod(to, 0o600);
  } catch (error) {
    if (reasonOf(error) !== 'ENOENT') throw error;
  }
}

function noneIfGone(error: unknown): never[] {
  if (reasonOf(error) === 'ENOENT') return [];
  throw error;
}
