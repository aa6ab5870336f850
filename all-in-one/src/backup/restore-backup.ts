import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, rmdirSync } from 'node:fs';
import { chmod, copyFile } from 'node:fs/promises';
import path from 'node:path';
import type { Clock } from '@holdfast/kernel/context';
import { removeEmbeddedPostgres, restoreCluster, startEmbeddedPostgres } from '@holdfast/dev-servers/postgres';
import {
  CannotStart,
  createFolder,
  findRunning,
  isLockFile,
  lockFolder,
  markerName,
  pathsIn,
  writeDurably,
} from '../data-folder/index.js';
import type { Progress } from '../progress.js';
import { entries } from './entries.js';
import { readBackup, type Manifest } from './manifest.js';
import { writeRestoredMark } from './restored-mark.js';
import { stopPayouts } from './stop-payouts.js';

export type RestoreDeps = { readonly clock: Clock; readonly onProgress: Progress };

/**
 * Restores a backup into an empty data folder. Everything is checked before anything is written, and a failure leaves the folder empty.
 * The mark of a data folder is written last: a folder without it is refused at the start. The emergency stop is on in the restored
 * database until a person accepts it.
 */
export async function restoreBackup(dataDir: string, source: string, { clock, onProgress }: RestoreDeps): Promise<Manifest> {
  assertEmpty(dataDir);
  onProgress('checking the backup');
  const manifest = await readBackup(source);
  createFolder(dataDir);
  const lock = await lockFolder(dataDir, 'command', clock);
  try {
    assertEmpty(dataDir, process.pid);
    await copyEverything(dataDir, source, onProgress);
    await stopRestored(dataDir, { backupCreatedAt: manifest.createdAt, restoredAt: clock.now() }, onProgress);
    writeDurably(path.join(dataDir, markerName), readFileSync(path.join(source, entries.secrets, markerName), 'utf8'));
    return manifest;
  } catch (error) {
    empty(dataDir);
    throw error;
  } finally {
    lock.release();
    removeIfEmpty(dataDir);
  }
}

function assertEmpty(dataDir: string, ownPid?: number): void {
  if (!existsSync(dataDir)) return;
  const running = findRunning(dataDir);
  if (running !== undefined && running.pid !== ownPid)
    throw new CannotStart(`Holdfast (process ${running.pid}) is running on ${dataDir}: stop it first. Nothing was changed.`);
  const found = readdirSync(dataDir).filter((name) => !isLockFile(name));
  if (found.length > 0)
    throw new CannotStart(
      `The data folder ${dataDir} is not empty (${found.slice(0, 3).join(', ')}): a backup is restored into an empty one only. ` +
        'Nothing was changed. Move it away, or choose another one with HOLDFAST_DATA_DIR.',
    );
}

async function copyEverything(dataDir: string, source: string, onProgress: Progress): Promise<void> {
  const { postgres, sandbox } = pathsIn(dataDir);
  onProgress('copying the database');
  const password = readFileSync(path.join(source, entries.password), 'utf8').trim();
  await restoreCluster({ dataDir: postgres, source: path.join(source, entries.database), password, onProgress });
  const secrets = path.join(source, entries.secrets);
  for (const name of readdirSync(secrets).filter((each) => each !== markerName))
    writeDurably(path.join(dataDir, name), readFileSync(path.join(secrets, name), 'utf8'));
  if (existsSync(path.join(source, entries.sandbox))) await copySandbox(path.join(source, entries.sandbox), sandbox);
}

async function copySandbox(source: string, target: string): Promise<void> {
  mkdirSync(target);
  chmodSync(target, 0o700);
  for (const name of readdirSync(source)) {
    await copyFile(path.join(source, name), path.join(target, name));
    await chmod(path.join(target, name), 0o600);
  }
}

/** Starts the database once, which also proves that it recovers from the backup. */
async function stopRestored(
  dataDir: string,
  facts: { readonly backupCreatedAt: string; readonly restoredAt: string },
  onProgress: Progress,
): Promise<void> {
  const server = await startEmbeddedPostgres({ dataDir: pathsIn(dataDir).postgres, onProgress });
  try {
    await stopPayouts(server.url, facts);
    writeRestoredMark(dataDir, facts);
  } finally {
    await server.stop();
  }
}

/** The folder was empty before, so whatever is in it now was written by the restore. */
function empty(dataDir: string): void {
  removeEmbeddedPostgres(pathsIn(dataDir).postgres);
  for (const name of readdirSync(dataDir).filter((each) => !isLockFile(each)))
    rmSync(path.join(dataDir, name), { recursive: true, force: true });
}

function removeIfEmpty(dataDir: string): void {
  if (readdirSync(dataDir).length === 0) rmdirSync(dataDir);
}
