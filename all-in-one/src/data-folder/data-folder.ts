import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Clock } from '@holdfast/kernel/context';
import { CannotStart, reasonOf } from './cannot-start.js';
import { lockFolder, type FolderLock, type RunMode } from './folder-lock.js';
import { markVersion } from './version.js';

export type DataFolder = {
  readonly path: string;
  readonly postgres: string;
  readonly rabbitmq: string;
  readonly sandbox: string;
  /** The id of the console's API key. */
  readonly consoleKey: string;
  readonly lock: FolderLock;
};

type Options = { readonly dataDir: string; readonly mode: RunMode; readonly version: string; readonly clock: Clock };

/** Creates the folder if it is missing, locks it for this process, and checks its version. */
export async function openDataFolder({ dataDir, mode, version, clock }: Options): Promise<DataFolder> {
  const lock = await withReadableErrors(dataDir, () => {
    createFolder(dataDir);
    return lockFolder(dataDir, mode, clock);
  });
  try {
    await withReadableErrors(dataDir, () => markVersion(dataDir, version));
  } catch (error) {
    lock.release();
    throw error;
  }
  return { ...pathsIn(dataDir), lock };
}

/** The paths of the entries, whether they exist or not. */
export function pathsIn(dataDir: string): Omit<DataFolder, 'lock'> {
  const place = (name: string): string => path.join(dataDir, name);
  return {
    path: dataDir,
    postgres: place('postgres'),
    rabbitmq: place('rabbitmq'),
    sandbox: place('sandbox'),
    consoleKey: place('console-key'),
  };
}

/** Other users have no access. As root they may enter, because the database server runs as another user. */
export function createFolder(dataDir: string): void {
  if (existsSync(dataDir)) return;
  createParents(path.dirname(dataDir));
  const mode = process.getuid?.() === 0 ? 0o711 : 0o700;
  createIfMissing(dataDir);
  chmodSync(dataDir, mode); // the umask may have removed bits
}

/** One by one: Node's recursive mkdir never returns in places like /proc, where folders exist but none can be created. */
function createParents(folder: string): void {
  if (existsSync(folder)) return;
  createParents(path.dirname(folder));
  createIfMissing(folder);
}

/** Another process may create it at the same moment. */
function createIfMissing(folder: string): void {
  try {
    mkdirSync(folder);
  } catch (error) {
    if (reasonOf(error) !== 'EEXIST') throw error;
  }
}

async function withReadableErrors<T>(dataDir: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof CannotStart) throw cause;
    throw new CannotStart(
      `The data folder ${dataDir} cannot be written to (${reasonOf(cause)}): choose another one with HOLDFAST_DATA_DIR or correct its permissions.`,
      { cause },
    );
  }
}
