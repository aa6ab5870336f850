import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Paths from the root of a tree, with the contents of the files. */
export type Files = Readonly<Record<string, string>>;

export type PlantedTree = { readonly folder: string; readonly remove: () => Promise<void> };

export const repository = fileURLToPath(new URL('../../../', import.meta.url));

const outputBytesMax = 64 * 1024 * 1024;
const toolTimeoutMs = 120_000;

/** A throw-away repository with the compiler settings of this one. `links` are symbolic links, as npm makes for workspaces. */
export async function plantTree(files: Files, links: Files = {}): Promise<PlantedTree> {
  const folder = await mkdtemp(path.join(tmpdir(), 'holdfast-planted-'));
  for (const [file, text] of Object.entries({ 'tsconfig.json': plantedTsconfig(), ...files })) {
    const target = path.join(folder, file);
    await mkdir(path.dirname(target), { recursive: true });
    await writeFile(target, text);
  }
  for (const [link, to] of Object.entries(links)) {
    await mkdir(path.dirname(path.join(folder, link)), { recursive: true });
    await symlink(path.join(folder, to), path.join(folder, link));
  }
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** Runs a tool of this repository, or a program at an absolute path, in the tree and returns what it printed; findings make it exit with 1 or more, which is fine. */
export async function runTool(tree: PlantedTree, binary: string, args: readonly string[]): Promise<string> {
  const script = path.resolve(repository, 'node_modules', binary);
  const options = { cwd: tree.folder, maxBuffer: outputBytesMax, timeout: toolTimeoutMs };
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [script, ...args], options, (error, stdout, stderr) => {
      if (stdout === '') reject(new Error(`${binary} printed nothing: ${stderr}`, { cause: error }));
      else resolve(stdout);
    });
  });
}

function plantedTsconfig(): string {
  return JSON.stringify({
    extends: path.join(repository, 'tsconfig.base.json'),
    compilerOptions: { types: ['node', 'jest'], typeRoots: [path.join(repository, 'node_modules/@types')] },
    include: ['**/src/**/*.ts'],
  });
}
