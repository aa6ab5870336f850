import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { chmod, copyFile } from 'node:fs/promises';
import path from 'node:path';
import type { Clock } from '@holdfast/kernel/context';
import { copyCluster, readPassword } from '@holdfast/dev-servers/postgres';
import type { CommandSettings } from '../command-settings.js';
import { CannotStart, findRunning, markerName, pathsIn, reasonOf, secretFileNames, writeDurably } from '../data-folder/index.js';
import { openInstallation } from '../open-installation.js';
import type { Progress } from '../progress.js';
import { entries } from './entries.js';
import { writeManifest, type Manifest } from './manifest.js';

export type Backup = {
  readonly folder: string;
  readonly manifest: Manifest;
  /** What the person who made it should know. */
  readonly warnings: readonly string[];
};

export type BackupDeps = { readonly clock: Clock; readonly onProgress: Progress };

/**
 * Backs up an installation on the embedded server, running or not, into a new folder: database, secrets and sandbox. The folder has
 * another name until it is complete. The sandbox is copied last, so that the outside world of the backup is never behind its database.
 */
export async function createBackup(config: CommandSettings, wanted: string, { clock, onProgress }: BackupDeps): Promise<Backup> {
  refuseOtherServer(config);
  const { holdfastDataDir: dataDir } = config;
  const createdAt = clock.now();
  const folder = chooseFolder(path.resolve(wanted), dataDir, createdAt);
  const installation = await openInstallation(config, onProgress);
  const temporary = `${folder}.incomplete-${process.pid}`;
  try {
    mkdirSync(temporary, { mode: 0o700 });
    onProgress('copying the database');
    const database = await copyCluster(installation.databaseUrl, path.join(temporary, entries.database));
    copySecrets(dataDir, temporary);
    await copySandbox(pathsIn(dataDir).sandbox, path.join(temporary, entries.sandbox));
    onProgress('writing the checksums');
    const missingSecrets = secretFileNames.filter((name) => !existsSync(path.join(dataDir, name)) && !name.endsWith('-previous'));
    const manifest = await writeManifest(temporary, { createdAt, database, missingSecrets });
    renameSync(temporary, folder);
    return { folder, manifest, warnings: warningsOf(dataDir, missingSecrets) };
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true });
    throw error;
  } finally {
    await installation.close();
  }
}

function refuseOtherServer({ databaseUrl, holdfastDataDir: dataDir }: CommandSettings): void {
  if (databaseUrl !== undefined)
    throw new CannotStart(
      'DATABASE_URL is set: this command backs up the embedded server. For your own Postgres use deploy/backup/backup.sh.',
    );
  if (readPassword(pathsIn(dataDir).postgres) === undefined)
    throw new CannotStart(`There is no embedded database in ${dataDir}: set HOLDFAST_DATA_DIR.`);
}

/** The named folder where it does not exist; a new one inside it where it does. */
function chooseFolder(wanted: string, dataDir: string, createdAt: string): string {
  const folder = existsSync(wanted) ? path.join(wanted, `holdfast-${createdAt.replaceAll(/[:.]/g, '-')}`) : wanted;
  if (!path.relative(dataDir, folder).startsWith('..'))
    throw new CannotStart(`${folder} is inside the data folder: choose a folder on another disk.`);
  if (existsSync(folder)) throw new CannotStart(`${folder} exists already: a backup is never overwritten.`);
  try {
    mkdirSync(path.dirname(folder), { recursive: true });
  } catch (cause) {
    throw new CannotStart(`${path.dirname(folder)} cannot be written to (${reasonOf(cause)}).`, { cause });
  }
  return folder;
}

/** The secrets, the password of the database's superuser, and the mark of the version, as they are in the data folder. */
function copySecrets(dataDir: string, target: string): void {
  const secrets = path.join(target, entries.secrets);
  mkdirSync(secrets, { mode: 0o700 });
  for (const name of [...secretFileNames, markerName]) {
    const file = path.join(dataDir, name);
    if (existsSync(file)) writeDurably(path.join(secrets, name), readFileSync(file, 'utf8'));
  }
  writeDurably(path.join(target, entries.password), readPassword(pathsIn(dataDir).postgres) ?? '');
}

const sandboxAttemptsMax = 5;

/** Its file is append-only. When a snapshot replaces it meanwhile, the names of the files change, and the copy starts again. */
async function copySandbox(source: string, target: string): Promise<void> {
  if (!existsSync(source)) return;
  for (let attempt = 1; attempt <= sandboxAttemptsMax; attempt += 1) {
    rmSync(target, { recursive: true, force: true });
    mkdirSync(target, { mode: 0o700 });
    const before = readdirSync(source).toSorted();
    const isComplete = await copyFiles(source, target, before);
    if (isComplete && readdirSync(source).toSorted().join() === before.join()) return;
  }
  throw new Error('The data of the sandbox changed while they were copied: try again.');
}

async function copyFiles(source: string, target: string, names: readonly string[]): Promise<boolean> {
  try {
    for (const name of names) {
      await copyFile(path.join(source, name), path.join(target, name));
      await chmod(path.join(target, name), 0o600);
    }
    return true;
  } catch (error) {
    if (reasonOf(error) === 'ENOENT') return false;
    throw error;
  }
}

function warningsOf(dataDir: string, missingSecrets: readonly string[]): readonly string[] {
  const given = `These secrets are settings and not in the data folder; keep them with the backup: ${missingSecrets.join(', ')}`;
  const running = findRunning(dataDir);
  const queues = 'Messages in RabbitMQ are not part of the backup: see docs/operations/backup-and-restore.md';
  return [...(missingSecrets.length > 0 ? [given] : []), ...(running?.amqpUrl === undefined ? [] : [queues])];
}
