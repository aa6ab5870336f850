import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { CannotStart } from './cannot-start.js';
import { isTicket } from './claim.js';
import { writeDurably } from './files.js';

/** The file by which a data folder is known to be one, and which version last used it. */
export const markerName = 'holdfast.json';

const versionPattern = /^(\d+)\.(\d+)\.(\d+)/;
const markerShape = z.object({ product: z.literal('holdfast'), version: z.string().regex(versionPattern) });

/** Whether the folder is a data folder of ours. */
export function isMarked(dataDir: string): boolean {
  return existsSync(path.join(dataDir, markerName));
}

/**
 * Marks the folder as used by this version. Refuses data of a newer one, whose tables this one does not know, and folders
 * with other people's files. It is marked before anything is changed, so that it is never newer than it says.
 */
export function markVersion(dataDir: string, version: string): void {
  if (isMarked(dataDir)) refuseNewer(dataDir, version);
  else refuseForeign(dataDir);
  writeDurably(path.join(dataDir, markerName), `${JSON.stringify({ product: 'holdfast', version })}\n`);
}

function refuseNewer(dataDir: string, version: string): void {
  const found = readMarker(dataDir);
  if (!isNewer(found, version)) return;
  throw new CannotStart(
    `The data in ${dataDir} were last used by Holdfast ${found}, and this is ${version}: start that version, or choose another HOLDFAST_DATA_DIR.`,
  );
}

function readMarker(dataDir: string): string {
  const file = path.join(dataDir, markerName);
  try {
    return markerShape.parse(JSON.parse(readFileSync(file, 'utf8'))).version;
  } catch (cause) {
    throw new CannotStart(`The file ${file} does not say which version of Holdfast made the data beside it.`, { cause });
  }
}

function refuseForeign(dataDir: string): void {
  const foreign = readdirSync(dataDir).filter((name) => !isTicket(name) && !name.startsWith(markerName));
  if (foreign.length === 0) return;
  throw new CannotStart(
    `The folder ${dataDir} holds files that are not Holdfast's (${foreign.slice(0, 3).join(', ')}): choose an empty one with HOLDFAST_DATA_DIR.`,
  );
}

function isNewer(one: string, other: string): boolean {
  const theirs = numbersOf(one);
  const ours = numbersOf(other);
  const at = theirs.findIndex((number, index) => number !== ours[index]);
  return at >= 0 && (theirs[at] ?? 0) > (ours[at] ?? 0);
}

function numbersOf(version: string): readonly number[] {
  return (versionPattern.exec(version) ?? []).slice(1).map(Number);
}
