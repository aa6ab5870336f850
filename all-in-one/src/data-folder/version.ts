import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { CannotStart } from './cannot-start.js';
import { isLockFile } from './folder-lock.js';
import { writeDurably } from './files.js';

/** The file that marks a data folder and names the version that used it last. */
export const markerName = 'holdfast.json';

const versionPattern = /^(\d+)\.(\d+)\.(\d+)/;
const markerShape = z.object({
  product: z.literal('holdfast'),
  version: z.string().regex(versionPattern),
  dataVersion: z.int().default(1),
});

/**
 * Raised when a change other than of the tables makes older data unusable. Other tables need no new version: the checksums of the
 * migrations reveal them at the start.
 */
export const dataVersion = 8;

export function isMarked(dataDir: string): boolean {
  return existsSync(path.join(dataDir, markerName));
}

/**
 * Marks the folder as used by this version. Refuses data of a newer version, whose tables are unknown here, and folders with foreign
 * files. The mark is written before any data change, so that data are never newer than their mark.
 */
export function markVersion(dataDir: string, version: string): void {
  if (isMarked(dataDir)) assertSameVersion(dataDir, version);
  else assertOwnFolder(dataDir);
  writeDurably(path.join(dataDir, markerName), `${JSON.stringify({ product: 'holdfast', version, dataVersion })}\n`);
}

function assertSameVersion(dataDir: string, version: string): void {
  const found = readMarker(dataDir);
  if (isNewer(found.version, version) || found.dataVersion > dataVersion)
    throw new CannotStart(
      `The data in ${dataDir} were last used by Holdfast ${found.version}, and this is ${version}: start that version, or choose another HOLDFAST_DATA_DIR.`,
    );
  if (found.dataVersion < dataVersion)
    throw new CannotStart(
      `The data in ${dataDir} have the older form ${found.dataVersion}, and this version needs ${dataVersion}. Nothing was changed. ` +
        'To keep them, move the folder away or choose another one with HOLDFAST_DATA_DIR; to delete them and begin anew, run: npm run reset',
    );
}

function readMarker(dataDir: string): z.output<typeof markerShape> {
  const file = path.join(dataDir, markerName);
  try {
    return markerShape.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (cause) {
    throw new CannotStart(`The file ${file} does not say which version of Holdfast made the data beside it.`, { cause });
  }
}

function assertOwnFolder(dataDir: string): void {
  const foreign = readdirSync(dataDir).filter((name) => !isLockFile(name) && !name.startsWith(markerName));
  if (foreign.length === 0) return;
  throw new CannotStart(
    `The folder ${dataDir} holds files that are not Holdfast's (${foreign.slice(0, 3).join(', ')}): choose an empty one with HOLDFAST_DATA_DIR.`,
  );
}

export function isNewer(one: string, other: string): boolean {
  const theirs = numbersOf(one);
  const ours = numbersOf(other);
  const at = theirs.findIndex((number, index) => number !== ours[index]);
  return at >= 0 && (theirs[at] ?? 0) > (ours[at] ?? 0);
}

function numbersOf(version: string): readonly number[] {
  return (versionPattern.exec(version) ?? []).slice(1).map(Number);
}
