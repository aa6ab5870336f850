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
  readonly lock: FolderLock;
};

type Options = { readonly dataDir: string; readonly mode: RunMode; readonly version: string; readonly clock: Clock };

/** Makes the folder if need be, makes sure that nobody else uses it, and that this version may. */
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

/** Where everything lies, whether it exists or not. */
export function pathsIn(dataDir: string): Omit<DataFolder, 'lock'> {
  const place = (name: string): string => path.join(dataDir, name);
  return { path: dataDir, postgres: place('postgres'), rabbitmq: place('rabbitmq'), sandbox: place('sandbox') };
}

/** Closed to others. As root the database server, which is another user, must be able to pass through. */
function createFolder(dataDir: string): void {
  if (existsSync(dataDir)) return;
  createParents(path.dirname(dataDir));
  const mode = process.getuid?.() === 0 ? 0o711 : 0o700;
  createIfMissing(dataDir);
  chmodSync(dataDir, mode); // whatever the umask has made of it
}

/** One by one, because Node's own way never returns from a place like /proc, where there are folders but none can be made. */
function createParents(folder: string): void {
  if (existsSync(folder)) return;
  createParents(path.dirname(folder));
  createIfMissing(folder);
}

/** Another start may make it at the same moment. */
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
