import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { chmod, chown, copyFile, mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { moveIntoPlace } from './binaries.js';
import { clusterOf, createFolder, grantServerUserAccess, writePassword } from './data-folder.js';
import { chooseServerUser, type ServerUser } from './server-user.js';

export type RestoreOptions = {
  /** A folder that does not exist yet. */
  readonly dataDir: string;
  /** The copy that `copyCluster` has made. */
  readonly source: string;
  /** The password of the superuser in the copy. */
  readonly password: string;
  readonly onProgress: (fact: string) => void;
};

/** Folders that Postgres requires, and that a tool which copies only files has left out of a backup. */
const requiredFolders = [
  'pg_commit_ts',
  'pg_dynshmem',
  'pg_logical/mappings',
  'pg_logical/snapshots',
  'pg_notify',
  'pg_replslot',
  'pg_serial',
  'pg_snapshots',
  'pg_stat',
  'pg_stat_tmp',
  'pg_subtrans',
  'pg_tblspc',
  'pg_twophase',
  'pg_wal/archive_status',
  'pg_wal/summaries',
];

/** Puts a copied cluster in the place where `startEmbeddedPostgres` looks for it. An incomplete copy is never started. */
export async function restoreCluster({ dataDir, source, password, onProgress }: RestoreOptions): Promise<void> {
  createFolder(dataDir);
  const user = chooseServerUser(statSync(clusterOf(dataDir), { throwIfNoEntry: false })?.uid);
  if (user !== undefined) grantServerUserAccess(dataDir, user, onProgress);
  const cluster = clusterOf(dataDir);
  if (existsSync(cluster)) throw new Error(`There is a database in ${cluster} already. Nothing was changed in it.`);
  const temporary = mkdtempSync(path.join(path.dirname(cluster), `making-${process.pid}-`));
  try {
    if (user !== undefined) chownSync(temporary, user.uid, user.gid);
    const data = path.join(temporary, 'data');
    await copyOwned(source, data, user);
    for (const folder of requiredFolders) await createOwned(data, folder, user);
    writePassword(dataDir, password);
    moveIntoPlace(data, cluster);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

async function copyOwned(source: string, target: string, user: ServerUser | undefined): Promise<void> {
  await mkdir(target, { mode: 0o700 });
  if (user !== undefined) await chown(target, user.uid, user.gid);
  for (const entry of await readdir(source, { withFileTypes: true })) {
    const [from, to] = [path.join(source, entry.name), path.join(target, entry.name)];
    if (entry.isDirectory()) await copyOwned(from, to, user);
    else {
      await copyFile(from, to);
      await chmod(to, 0o600);
      if (user !== undefined) await chown(to, user.uid, user.gid);
    }
  }
}

async function createOwned(data: string, folder: string, user: ServerUser | undefined): Promise<void> {
  let current = data;
  for (const name of folder.split('/')) {
    current = path.join(current, name);
    if (existsSync(current)) continue;
    mkdirSync(current, { mode: 0o700 });
    chmodSync(current, 0o700);
    if (user !== undefined) await chown(current, user.uid, user.gid);
  }
}
