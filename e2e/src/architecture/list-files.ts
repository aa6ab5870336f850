import { readdir } from 'node:fs/promises';
import path from 'node:path';

const notOurs = new Set(['node_modules', 'dist', '.git', '.holdfast', 'coverage']);

/** Every file that is ours, as paths from the folder: what a commit could hold, whether or not there is a git repository. */
export async function listFiles(folder: string, below = ''): Promise<readonly string[]> {
  const entries = await readdir(path.join(folder, below), { withFileTypes: true });
  const lists = entries
    .filter((entry) => !notOurs.has(entry.name))
    .map((entry) => {
      const file = path.posix.join(below, entry.name);
      return entry.isDirectory() ? listFiles(folder, file) : Promise.resolve([file]);
    });
  return (await Promise.all(lists)).flat();
}
