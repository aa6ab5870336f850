import { existsSync, readdirSync, rmSync, rmdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { retry } from '@holdfast/kernel/async';
import { systemClock } from '@holdfast/kernel/context';
import { removeEmbeddedPostgres } from '@holdfast/dev-servers/postgres';
import { CannotStart, lockFolder, isMarked, markerName, pathsIn, secretFileNames } from './data-folder/index.js';

/** A server whose process was killed may still write its last files: for a few seconds, deleting is tried again. */
const deleting = { attemptsMax: 6, firstDelayMs: 200 };

/** Refuses folders that are not ours: whatever is deleted is gone. */
export function refuseForeignFolder(dataDir: string): void {
  if (isMarked(dataDir)) return;
  throw new CannotStart(`${dataDir} is not a data folder of Holdfast (there is no ${markerName} in it): nothing was deleted.`);
}

/** Deletes what Holdfast keeps there, and the folder if nothing else is left. Returns what else there was. */
export async function resetData(dataDir: string): Promise<readonly string[]> {
  refuseForeignFolder(dataDir);
  const claim = await lockFolder(dataDir, 'command', systemClock());
  try {
    const { postgres, rabbitmq, sandbox } = pathsIn(dataDir);
    await retry(() => Promise.resolve().then(() => removeEmbeddedPostgres(postgres)), deleting);
    for (const place of [rabbitmq, sandbox]) await retry(() => rm(place, { recursive: true, force: true }), deleting);
    // The marker goes last, so that a reset that was cut off can be repeated.
    for (const name of [...secretFileNames, markerName]) rmSync(path.join(dataDir, name), { force: true });
  } finally {
    claim.release();
  }
  const others = existsSync(dataDir) ? readdirSync(dataDir) : [];
  if (others.length === 0) rmdirSync(dataDir);
  return others;
}
