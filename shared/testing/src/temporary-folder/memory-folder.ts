import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { freemem } from 'node:os';
import path from 'node:path';

/** The memory file system of Linux. */
const sharedMemory = '/dev/shm';
/** Several times what a whole test run needs. */
const freeBytesMin = 8 * 2 ** 30;
const prefix = 'holdfast-tests-';

type Conditions = { readonly parent?: string; readonly bytesMin?: number };

/**
 * Makes a folder in memory for the temporary files of a test run. Its servers create, flush and delete thousands of small files, which
 * takes most disks longer than the tests themselves. Undefined where there is no memory file system, or too little memory.
 */
export function makeMemoryFolder({ parent = sharedMemory, bytesMin = freeBytesMin }: Conditions = {}): string | undefined {
  if (Math.min(freeBytesIn(parent), freemem()) < bytesMin) return undefined;
  removeLeftFolders(parent);
  const folder = mkdtempSync(path.join(parent, `${prefix}${process.pid.toString()}-`));
  chmodSync(folder, 0o1777); // as /tmp, because Postgres runs as its own user
  return folder;
}

export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

function freeBytesIn(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return 0;
  }
}

/** A run that was killed could not remove its folder. */
function removeLeftFolders(parent: string): void {
  for (const name of readdirSync(parent)) {
    const owner = name.startsWith(prefix) ? Number.parseInt(name.slice(prefix.length), 10) : Number.NaN;
    if (!Number.isNaN(owner) && !isRunning(owner)) removeFolder(path.join(parent, name));
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'; // it runs as another user
  }
}
