import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Names of files that are missing, differ, or should not be there. */
export async function staleFiles(folder: string, wanted: ReadonlyMap<string, string>): Promise<readonly string[]> {
  const present = await presentFiles(folder);
  const names = [...new Set([...present.keys(), ...wanted.keys()])].sort();
  return names.filter((name) => present.get(name) !== wanted.get(name));
}

/** Writes and deletes files until the folder has exactly these. Returns the names of those that changed. */
export async function writeFresh(folder: string, wanted: ReadonlyMap<string, string>): Promise<readonly string[]> {
  const stale = await staleFiles(folder, wanted);
  await mkdir(folder, { recursive: true });
  for (const name of stale) {
    const text = wanted.get(name);
    if (text === undefined) await rm(path.join(folder, name));
    else await writeFile(path.join(folder, name), text);
  }
  return stale;
}

async function presentFiles(folder: string): Promise<ReadonlyMap<string, string>> {
  await mkdir(folder, { recursive: true });
  const names = await readdir(folder);
  const texts = await Promise.all(names.map((name) => readFile(path.join(folder, name), 'utf8')));
  return new Map(names.map((name, index) => [name, texts[index] ?? '']));
}

/** Names of wanted files that are missing or differ. For folders that have other files, too. */
export async function staleAmong(folder: string, wanted: ReadonlyMap<string, string>): Promise<readonly string[]> {
  const names = [...wanted.keys()];
  const texts = await Promise.all(names.map((name) => readFile(path.join(folder, name), 'utf8').catch(() => undefined)));
  return names.filter((name, index) => texts[index] !== wanted.get(name));
}

/** Writes those that are stale, and leaves other files alone. Returns the names of those that changed. */
export async function writeAmong(folder: string, wanted: ReadonlyMap<string, string>): Promise<readonly string[]> {
  const stale = await staleAmong(folder, wanted);
  for (const name of stale) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), wanted.get(name) ?? '');
  }
  return stale;
}
