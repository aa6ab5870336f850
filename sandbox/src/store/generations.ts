import { mkdir, open, readFile, readdir, rename, rm, truncate } from 'node:fs/promises';
import path from 'node:path';

/** The files of a data folder: snapshot n contains all changes before journal n. */
export type Generations = { readonly snapshot: number | undefined; readonly journals: readonly number[] };

export function snapshotFile(folder: string, generation: number): string {
  return path.join(folder, `snapshot-${generation}.jsonl`);
}

export function journalFile(folder: string, generation: number): string {
  return path.join(folder, `journal-${generation}.jsonl`);
}

/** The newest snapshot and the journals since then, in order. */
export async function findGenerations(folder: string): Promise<Generations> {
  await mkdir(folder, { recursive: true });
  const names = await readdir(folder);
  const snapshot = numbersOf(names, /^snapshot-(\d+)\.jsonl$/).at(-1);
  const journals = numbersOf(names, /^journal-(\d+)\.jsonl$/).filter((generation) => generation >= (snapshot ?? 0));
  return { snapshot, journals };
}

function numbersOf(names: readonly string[], pattern: RegExp): readonly number[] {
  return names
    .map((name) => pattern.exec(name)?.[1])
    .filter((digits) => digits !== undefined)
    .map(Number)
    .sort((a, b) => a - b);
}

/** The complete lines of a file. An incomplete last line of a killed process and preallocated zeros are truncated. */
export async function readLines(file: string): Promise<readonly string[]> {
  const text = await readFile(file);
  const end = text.lastIndexOf('\n') + 1;
  if (end < text.length) await truncate(file, end);
  return end === 0 ? [] : text.toString('utf8', 0, end - 1).split('\n');
}

/** Writes and syncs a temporary file and renames it, so that a snapshot is complete or absent. */
export async function writeSnapshot(folder: string, generation: number, chunks: Iterable<string>): Promise<void> {
  const temporaryFile = `${snapshotFile(folder, generation)}.part`;
  const handle = await open(temporaryFile, 'w');
  try {
    for (const chunk of chunks) await handle.appendFile(chunk);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(temporaryFile, snapshotFile(folder, generation));
  await syncFolder(folder);
}

export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Removes the files that a finished snapshot replaces. */
export async function removeBefore(folder: string, generation: number): Promise<void> {
  const replaced = (await readdir(folder)).filter((name) => {
    const number = /^(?:snapshot|journal)-(\d+)\.jsonl(?:\.part)?$/.exec(name)?.[1];
    return number !== undefined && Number(number) < generation;
  });
  for (const name of replaced) await rm(path.join(folder, name), { force: true });
}
