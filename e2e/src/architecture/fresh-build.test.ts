import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { plantTree, repository, type PlantedTree } from './planted-tree.js';

const copied = ['tools/build.mjs', 'tools/require-node.cjs', 'tools/workspaces.mjs'];

let tree: PlantedTree;

beforeEach(async () => {
  tree = await plantTree({
    ...Object.fromEntries(copied.map((file) => [file, readFileSync(path.join(repository, file), 'utf8')])),
    'package.json': JSON.stringify({ type: 'module', engines: { node: '>=20.19' }, workspaces: ['app'] }),
    'app/src/main.ts': 'export const answer: number = 1;',
    'gateway/package.json': '{}',
    'node_modules/@scalar/api-reference/index.js': '',
    'node_modules/@scalar/api-reference/browser/standalone.js': '',
  });
  symlinkSync(path.join(repository, 'node_modules/esbuild'), at('node_modules/esbuild'));
});
afterEach(() => tree.remove());

function at(file: string): string {
  return path.join(tree.folder, file);
}

type JestConfig = { readonly projects: readonly { readonly displayName: string; readonly globalSetup?: string }[] };

/** What jest runs before any test of the whole system, in the planted tree. */
function setUpTests(): void {
  const { projects } = createRequire(path.join(repository, 'package.json'))('./jest.config.cjs') as JestConfig;
  const { globalSetup = '' } = projects.find(({ displayName }) => displayName === 'e2e') ?? {};
  const setup = globalSetup.replace('<rootDir>', repository);
  const program = `require(${JSON.stringify(setup)})({ rootDir: ${JSON.stringify(tree.folder)} }).then(() => process.exit())`;
  execFileSync(process.execPath, ['-e', program], { stdio: 'pipe' });
}

describe('a run of jest', () => {
  it('builds changed files and deletes the output of removed ones', () => {
    setUpTests();
    expect(readFileSync(at('app/dist/main.js'), 'utf8')).toContain('answer = 1');
    rmSync(at('app/src/main.ts'));
    writeFileSync(at('app/src/other.ts'), 'export const answer: number = 22;');
    setUpTests();
    expect(readFileSync(at('app/dist/other.js'), 'utf8')).toContain('answer = 22');
    expect(existsSync(at('app/dist/main.js'))).toBe(false);
  });

  it('builds again when the build itself has changed', () => {
    setUpTests();
    const build = readFileSync(at('tools/build.mjs'), 'utf8');
    writeFileSync(at('tools/build.mjs'), build.replace('sourcemap: true', "banner: { js: '// as built now' }"));
    setUpTests();
    expect(readFileSync(at('app/dist/main.js'), 'utf8')).toContain('// as built now');
  });

  it('builds nothing when nothing has changed', () => {
    setUpTests();
    writeFileSync(at('app/dist/main.js'), 'as it was');
    setUpTests();
    expect(readFileSync(at('app/dist/main.js'), 'utf8')).toBe('as it was');
  });

  it('does not begin when the sources cannot be built', () => {
    writeFileSync(at('app/src/main.ts'), 'export const = ;');
    expect(setUpTests).toThrow('main.ts:1');
  });
});
