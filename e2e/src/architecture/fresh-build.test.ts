import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { plantTree, repository, type PlantedTree } from './planted-tree.js';

const copied = ['tools/build.mjs', 'tools/build-pages.mjs', 'tools/require-node.cjs'];
const programs = `export const programs = { dist: ['app/src/main.ts'], 'e2e/dist': ['app/src/main.ts'] };
export const pages = { 'app/dist/pages': { source: 'pages', servedAt: '/pages' } };`;

let tree: PlantedTree;

beforeEach(async () => {
  tree = await plantTree({
    ...Object.fromEntries(copied.map((file) => [file, readFileSync(path.join(repository, file), 'utf8')])),
    'tools/programs.mjs': programs,
    'package.json': JSON.stringify({ type: 'module', engines: { node: '>=20.19' } }),
    'app/src/main.ts': `import { answer } from './answer.js';\nconsole.log(answer);`,
    'app/src/answer.ts': 'export const answer: number = 1;',
    'pages/index.html': '<link href="__STYLES__"><!-- preloads --><script nonce="__NONCE__" src="__SCRIPT__"></script>',
    'pages/src/main.tsx': `import './styles.css';\nimport { title } from './title.js';\ndocument.title = title;`,
    'pages/src/styles.css': 'body { margin: 0 }',
    'pages/src/title.ts': `export const title = 'first';`,
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

function runProgram(): string {
  return execFileSync(process.execPath, [at('dist/app.js')], { encoding: 'utf8', stdio: 'pipe' });
}

describe('a run of jest', () => {
  it('builds what has changed and deletes the output of what is gone', () => {
    setUpTests();
    expect(runProgram()).toBe('1\n');
    const before = readdirSync(at('dist'));
    writeFileSync(at('app/src/answer.ts'), 'export const answer: number = 22;');
    setUpTests();
    expect(runProgram()).toBe('22\n');
    expect(readdirSync(at('dist'))).toHaveLength(before.length);
  });

  it('builds again when a built file is missing', () => {
    setUpTests();
    rmSync(at('dist/app.js'));
    setUpTests();
    expect(runProgram()).toBe('1\n');
  });

  it('builds again when the build itself has changed', () => {
    setUpTests();
    const build = readFileSync(at('tools/build.mjs'), 'utf8');
    writeFileSync(at('tools/build.mjs'), build.replace('sourcemap: true', "sourcemap: true, footer: { js: '// as built now' }"));
    setUpTests();
    expect(readFileSync(at('dist/app.js'), 'utf8')).toContain('// as built now');
  });

  it('builds nothing when nothing has changed', () => {
    setUpTests();
    writeFileSync(at('dist/app.js'), 'as it was');
    setUpTests();
    expect(readFileSync(at('dist/app.js'), 'utf8')).toBe('as it was');
  });

  it('does not begin when the sources cannot be built', () => {
    writeFileSync(at('app/src/main.ts'), 'export const = ;');
    expect(setUpTests).toThrow('main.ts:1');
  });
});

describe('the pages of a program', () => {
  const folder = 'app/dist/pages';
  const page = () => readFileSync(at(`${folder}/index.html`), 'utf8');
  const script = () => readFileSync(at(`${folder}/assets/${/assets\/(main-\w+\.js)/.exec(page())?.[1] ?? ''}`), 'utf8');

  it('are built with it; the page names its files by their hashes and leaves the nonce open', () => {
    setUpTests();
    expect(page()).toMatch(
      /^<link href="\/pages\/assets\/main-\w+\.css"><script nonce="__NONCE__" src="\/pages\/assets\/main-\w+\.js">/,
    );
    expect(script()).toContain('first');
  });

  it('are built again when a source has changed, under another name', () => {
    setUpTests();
    const before = page();
    writeFileSync(at('pages/src/title.ts'), `export const title = 'second';`);
    setUpTests();
    expect(page()).not.toBe(before);
    expect(script()).toContain('second');
    expect(readdirSync(at(`${folder}/assets`))).toHaveLength(2);
  });
});

describe('a built program', () => {
  it('names the source file and its line in a stack trace', () => {
    writeFileSync(
      at('app/src/answer.ts'),
      `type Answer = number;\n\nexport const answer: Answer = fail();\n\nfunction fail(): never {\n  throw new Error('broken');\n}\n`,
    );
    setUpTests();
    expect(runProgram).toThrow(/Error: broken\n +at fail \(.*app\/src\/answer\.ts:6:\d+\)/);
  });

  it('finds the files that a source file names', () => {
    writeFileSync(at('app/src/answer.ts'), `export const answer: string = new URL('../migrations', import.meta.url).pathname;`);
    setUpTests();
    expect(runProgram()).toBe(`${at('app/migrations')}\n`);
  });
});
