import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { listFiles } from './list-files.js';
import { repository } from './planted-tree.js';

/** A line of a table in docs/testing.md: the files or folders that prove a promise, and the commands that run them. */
type Row = { readonly promise: string; readonly paths: readonly string[]; readonly commands: string };

function rowsOf(page: string): readonly Row[] {
  return page
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .filter(([, , proof = '']) => proof.startsWith('`'))
    .map(([, promise = '', proof = '', commands = '']) => {
      const paths = [...proof.matchAll(/`([^`]+)`/g)].map(([, found = '']) => found);
      return { promise, paths, commands };
    })
    .filter(({ paths }) => paths.every((found) => found.includes('/')));
}

function commandOf(test: string): string {
  if (test.startsWith('e2e/')) return 'test:e2e';
  return test.endsWith('.int.test.ts') ? 'test:int' : 'test:unit';
}

function isIn(test: string, { paths }: Pick<Row, 'paths'>): boolean {
  return paths.some((named) => test === named || test.startsWith(`${named}/`));
}

/** Rows whose commands leave out one of their tests. */
function wrongCommands(rows: readonly Row[], tests: readonly string[]): readonly string[] {
  return rows
    .filter((row) => tests.some((test) => isIn(test, row) && !row.commands.includes(commandOf(test))))
    .map(({ promise }) => promise);
}

describe('docs/testing.md', () => {
  const rows = rowsOf(readFileSync(path.join(repository, 'docs/testing.md'), 'utf8'));
  let tests: readonly string[];

  beforeAll(async () => {
    tests = (await listFiles(repository)).filter((file) => file.endsWith('.test.ts'));
  });

  it('names tests that exist', () => {
    expect(rows.length).toBeGreaterThan(100);
    expect(rows.flatMap(({ paths }) => paths).filter((named) => !existsSync(path.join(repository, named)))).toEqual([]);
  });

  it('has a promise for every test', () => {
    expect(tests.filter((test) => !rows.some((row) => isIn(test, row)))).toEqual([]);
  });

  it('names the command that runs each test', () => {
    expect(wrongCommands(rows, tests)).toEqual([]);
    const offender = { promise: 'p', paths: ['a/b'], commands: '`npm run test:unit`' };
    expect(wrongCommands([offender], ['a/b/c.int.test.ts'])).toEqual(['p']);
  });
});
