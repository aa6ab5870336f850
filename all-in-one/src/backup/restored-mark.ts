import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { removeDurably, writeDurably } from '../data-folder/index.js';

/** In the data folder from a restore until a person has accepted it. */
export const restoredMarkName = 'restored.json';

const restoredMark = z.object({ backupCreatedAt: z.string(), restoredAt: z.string() });
export type RestoredMark = z.output<typeof restoredMark>;

export function writeRestoredMark(dataDir: string, mark: RestoredMark): void {
  writeDurably(path.join(dataDir, restoredMarkName), `${JSON.stringify(mark)}\n`);
}

/** Undefined where the data folder was not restored, or where a person has accepted it. */
export function readRestoredMark(dataDir: string): RestoredMark | undefined {
  const file = path.join(dataDir, restoredMarkName);
  return existsSync(file) ? restoredMark.parse(JSON.parse(readFileSync(file, 'utf8'))) : undefined;
}

export function removeRestoredMark(dataDir: string): void {
  removeDurably(path.join(dataDir, restoredMarkName));
}

/** The notice at the end of the banner and of commands. */
export function restoredNotice({ backupCreatedAt }: RestoredMark): string {
  return [
    `Payouts are stopped: this installation was restored from the backup of ${backupCreatedAt}, and what was paid after it could be`,
    'paid again. Nothing is signed and no payout is requested. Check it as docs/operations/backup-and-restore.md says, then run:',
    '  npm run restore -- --accept --by <name>',
  ].join('\n');
}
