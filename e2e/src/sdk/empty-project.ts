import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { repository } from '../architecture/planted-tree.js';

/** A project of a developer that has nothing but TypeScript and the packed SDK. */
export type EmptyProject = {
  readonly tarball: string;
  /** Writes a file of the project, checks the types of all of them, and runs it. Returns what it printed. */
  readonly run: (file: string, text: string, ...args: readonly string[]) => Promise<string>;
  readonly runCommonJs: (text: string) => string;
  readonly remove: () => void;
};

const programTimeoutMs = 200_000;

export function createEmptyProject(): EmptyProject {
  const folder = mkdtempSync(path.join(tmpdir(), 'holdfast-sdk-'));
  const tarball = pack(path.join(repository, 'clients/sdk'), folder);
  // From the installed copy, so that the project needs no registry.
  const parser = pack(path.join(repository, 'node_modules/eventsource-parser'), folder, '--ignore-scripts');
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ name: 'shop', private: true, type: 'module' }));
  execFileSync('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball, parser], { cwd: folder, stdio: 'ignore' });
  for (const name of ['@types/node', 'undici-types']) link(folder, name);
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(tsconfig));
  const run = async (file: string, text: string, ...args: readonly string[]): Promise<string> => {
    writeFileSync(path.join(folder, `${file}.ts`), text);
    await execute(folder, path.join(repository, 'node_modules/.bin/tsc'), []);
    return execute(folder, process.execPath, [`${file}.js`, ...args]);
  };
  return {
    tarball,
    run,
    runCommonJs: (text) => execFileSync(process.execPath, ['-e', text], { cwd: folder, encoding: 'utf8' }),
    remove: () => rmSync(folder, { recursive: true }),
  };
}

const tsconfig = {
  compilerOptions: {
    target: 'es2022',
    module: 'nodenext',
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    types: ['node'],
  },
};

function pack(source: string, folder: string, ...options: readonly string[]): string {
  const printed = execFileSync('npm', ['pack', '--json', ...options, '--pack-destination', folder], {
    cwd: source,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [, name = ''] = /"filename": "([^"]+)"/.exec(printed) ?? [];
  return path.join(folder, name.replace('@', '').replace('/', '-'));
}

function link(folder: string, name: string): void {
  const target = path.join(folder, 'node_modules', name);
  mkdirSync(path.dirname(target), { recursive: true });
  symlinkSync(path.join(repository, 'node_modules', name), target);
}

async function execute(cwd: string, command: string, args: readonly string[]): Promise<string> {
  try {
    return (await promisify(execFile)(command, [...args], { cwd, timeout: programTimeoutMs })).stdout;
  } catch (error) {
    const { stdout, stderr } = error as { readonly stdout: string; readonly stderr: string };
    throw new Error(`${path.basename(command)} failed:\n${stdout}\n${stderr}`, { cause: error });
  }
}

export function sourceOf(file: string): string {
  return readFileSync(path.join(repository, 'e2e/src/sdk', file), 'utf8');
}
