import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import path from 'node:path';
import { failed, ok, warning, type Check } from './check.js';

const supportedMajor = 22;

export function checkNode(version: string): Check {
  const major = Number(version.replace(/^v/, '').split('.')[0]);
  if (major >= supportedMajor) return ok('node', version);
  return warning('node', `${version}, which is out of support`, 'Install Node 22 or 24.');
}

const gibibyte = 1_024 ** 3;
const diskMin = { warning: 2 * gibibyte, failed: gibibyte / 4 } as const;

export async function checkDisk(dataDir: string): Promise<Check> {
  const folder = nearestFolder(dataDir);
  const { bavail, bsize } = await statfs(folder);
  return ofDisk(bavail * bsize, folder);
}

export function ofDisk(freeBytes: number, folder: string): Check {
  const found = `${(freeBytes / gibibyte).toFixed(1)} GiB free at ${folder}`;
  const todo = 'Free some space, or choose another HOLDFAST_DATA_DIR: without space the database stops.';
  if (freeBytes < diskMin.failed) return failed('disk', found, todo);
  return freeBytes < diskMin.warning ? warning('disk', found, todo) : ok('disk', found);
}

function nearestFolder(folder: string): string {
  return existsSync(folder) || path.dirname(folder) === folder ? folder : nearestFolder(path.dirname(folder));
}
