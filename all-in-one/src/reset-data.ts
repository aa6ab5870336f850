import { existsSync, readdirSync, rmSync, rmdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { retry } from '@holdfast/kernel/async';
import { systemClock } from '@holdfast/kernel/context';
import { removeEmbeddedPostgres } from '@holdfast/dev-servers/postgres';
import { restoredMarkName } from './backup/restored-mark.js';
import { CannotStart, lockFolder, isMarked, markerName, pathsIn, secretFileNames } from './data-folder/index.js';

/** A killed server may still write its last files, so deleting is retried for a few seconds. */
const deleting = { attemptsMax: 6, firstDelayMs: 200 };

/** Refuses folders without the marker of a data folder, because a delete cannot be reverted. */
export function refuseForeignFolder(dataDir: string): void {
  if (isMarked(dataDir)) return;
  throw new CannotStart(`${dataDir} is not a data folder of Holdfast (there is no ${markerName} in it): nothing was deleted.`);
}

/** Deletes the entries of Holdfast, and the folder if it is empty then. Returns the names of other entries. */
export async function resetData(dataDir: string): Promise<readonly string[]> {
  refuseForeignFolder(dataDir);
  const lock = await lockFolder(dataDir, 'command', systemClock());
  try {
    const { postgres, rabbitmq, sandbox, consoleKey } = pathsIn(dataDir);
    await retry(() => Promise.resolve().then(() => removeEmbeddedPostgres(postgres)), deleting);
    for (const folder of [rabbitmq, sandbox]) await retry(() => rm(folder, { recursive: true, force: true }), deleting);
    rmSync(consoleKey, { force: true });
    // The marker is deleted last, so that an interrupted reset can be repeated.
    for (const name of [...secretFileNames, restoredMarkName, markerName]) rmSync(path.join(dataDir, name), { force: true });
  } finally {
    lock.release();
  }
  const others = existsSync(dataDir) ? readdirSync(dataDir) : [];
  if (others.length === 0) rmdirSync(dataDir);
  return others;
}
