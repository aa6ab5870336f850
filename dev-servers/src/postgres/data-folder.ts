import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  chownSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { findBinaries, moveIntoPlace, publicFolder, type Binaries } from './binaries.js';
import { isRunning, outputOf, reasonOf } from './processes.js';
import { chooseServerUser, findClosedFolder, type ServerUser } from './server-user.js';

const run = promisify(execFile);
const initTimeoutMs = 120_000;

export const superuser = 'postgres';
const majorVersion = '18';

export type DataFolder = {
  readonly cluster: string;
  readonly logFile: string;
  readonly ownerFile: string;
  readonly password: string;
  readonly binaries: Binaries;
  readonly user: ServerUser | undefined;
};

type Progress = (fact: string) => void;

/** Prepares the folder for the server, also after an interrupted start. */
export async function prepareDataFolder(dataDir: string, onProgress: Progress): Promise<DataFolder> {
  createFolder(dataDir);
  const user = chooseServerUser(statSync(clusterOf(dataDir), { throwIfNoEntry: false })?.uid);
  if (user !== undefined) grantServerUserAccess(dataDir, user, onProgress);
  const binaries = findBinaries(user, onProgress);
  const password = readOrCreatePassword(dataDir);
  const cluster = clusterOf(dataDir);
  removeIncompleteFolders(path.dirname(cluster));
  if (!existsSync(cluster)) await initialise({ cluster, password, binaries, user }, onProgress);
  assertMajorVersion(cluster);
  return { cluster, password, binaries, user, logFile: path.join(dataDir, 'server.log'), ownerFile: path.join(dataDir, 'owner') };
}

/** Deletes the data, also when they are stored outside the folder. */
export function removeEmbeddedPostgres(dataDir: string): void {
  const cluster = clusterOf(dataDir);
  if (!cluster.startsWith(dataDir)) rmSync(path.dirname(cluster), { recursive: true, force: true });
  rmSync(dataDir, { recursive: true, force: true });
}

export function createFolder(dataDir: string): void {
  try {
    // As root, the server's user must be able to enter the folder. Other files in it are protected by their own mode.
    mkdirSync(dataDir, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
    accessSync(dataDir, constants.W_OK | constants.X_OK);
  } catch (cause) {
    const message = `The data folder ${dataDir} cannot be written to (${reasonOf(cause)}): choose another one with HOLDFAST_DATA_DIR or correct its permissions.`;
    throw new Error(message, { cause });
  }
}

/** Contains the path of the data when the server's user cannot reach the data folder. */
function externalLocationFile(dataDir: string): string {
  return path.join(dataDir, 'data-is-in');
}

export function clusterOf(dataDir: string): string {
  const locationFile = externalLocationFile(dataDir);
  return existsSync(locationFile) ? readFileSync(locationFile, 'utf8').trim() : path.join(dataDir, 'data');
}

/**
 * The server's user must be able to enter every parent folder of the data. The two folders of Holdfast get execute permission. The
 * mode of a closed folder above them, such as /root, is not changed; the data are then stored in the public folder.
 */
export function grantServerUserAccess(dataDir: string, user: ServerUser, onProgress: Progress): void {
  if (existsSync(externalLocationFile(dataDir))) return;
  for (const folder of [path.dirname(dataDir), dataDir]) {
    const { mode, uid } = statSync(folder);
    if (uid === 0 && folder !== homedir() && (mode & 0o001) === 0) chmodSync(folder, (mode & 0o777) | 0o011);
  }
  const closed = findClosedFolder(clusterOf(dataDir), user);
  if (closed === undefined || existsSync(clusterOf(dataDir))) return;
  const cluster = path.join(publicFolder, `data-${randomBytes(6).toString('hex')}`, 'data');
  onProgress(`keeping the database in ${cluster}, because Postgres does not run as root and only root may enter ${closed}`);
  mkdirSync(path.dirname(cluster), { recursive: true, mode: 0o711 });
  writeDurably(externalLocationFile(dataDir), `${cluster}\n`);
}

function passwordFileOf(dataDir: string): string {
  return path.join(dataDir, 'password');
}

/** The superuser's password, where the folder has one. */
export function readPassword(dataDir: string): string | undefined {
  const file = passwordFileOf(dataDir);
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
}

export function writePassword(dataDir: string, password: string): void {
  writeDurably(passwordFileOf(dataDir), password);
}

function readOrCreatePassword(dataDir: string): string {
  const file = passwordFileOf(dataDir);
  if (!existsSync(file)) {
    if (existsSync(clusterOf(dataDir)))
      throw new Error(`The file ${file} is missing: the data beside it cannot be opened without it.`);
    writePassword(dataDir, randomBytes(24).toString('hex'));
  }
  return readFileSync(file, 'utf8').trim();
}

/** A start that crashed during initdb leaves a temporary folder, which was never used. */
function removeIncompleteFolders(parent: string): void {
  for (const name of readdirSync(parent)) {
    if (!name.startsWith('making-')) continue;
    const folder = path.join(parent, name);
    const maker = Number(name.split('-')[1]);
    if (maker !== process.pid && !isRunning(maker)) rmSync(folder, { recursive: true, force: true });
  }
}

type Initialise = Pick<DataFolder, 'cluster' | 'password' | 'binaries' | 'user'>;

/** Runs initdb in a temporary folder and renames it when complete, so that incomplete data are never started. */
async function initialise({ cluster, password, binaries, user }: Initialise, onProgress: Progress): Promise<void> {
  onProgress('creating the database files');
  const parent = path.dirname(cluster);
  const temporary = mkdtempSync(path.join(parent, `making-${process.pid}-`));
  const passwordFile = path.join(temporary, 'password');
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (user !== undefined) for (const entry of [temporary, passwordFile]) chownSync(entry, user.uid, user.gid);
  const data = path.join(temporary, 'data');
  const account = user === undefined ? {} : { uid: user.uid, gid: user.gid };
  const options = { ...account, cwd: '/', timeout: initTimeoutMs, env: { LC_ALL: 'C', TZ: 'UTC' } };
  try {
    await run(
      binaries.initdb,
      [
        '-D',
        data,
        '-U',
        superuser,
        `--pwfile=${passwordFile}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        '--locale=C',
      ],
      options,
    );
    moveIntoPlace(data, cluster);
    syncFolder(parent);
  } catch (cause) {
    throw new Error(`The database files could not be created in ${parent}: ${outputOf(cause)}`, { cause });
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

function assertMajorVersion(cluster: string): void {
  const found = readFileSync(path.join(cluster, 'PG_VERSION'), 'utf8').trim();
  if (found === majorVersion) return;
  throw new Error(
    `The data in ${cluster} belong to Postgres ${found}, and this version of Holdfast brings Postgres ${majorVersion}: start the Holdfast that made them, or choose another HOLDFAST_DATA_DIR.`,
  );
}

function writeDurably(file: string, text: string): void {
  const temporary = `${file}.${process.pid}`;
  const handle = openSync(temporary, 'w', 0o600);
  writeFileSync(handle, text);
  fsyncSync(handle);
  closeSync(handle);
  renameSync(temporary, file);
  syncFolder(path.dirname(file));
}

function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r');
  fsyncSync(handle);
  closeSync(handle);
}
