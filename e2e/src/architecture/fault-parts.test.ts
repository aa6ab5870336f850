import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { listFiles } from './list-files.js';
import { repository } from './planted-tree.js';

/** `npm run faults` with these words. */
function faults(...words: readonly string[]) {
  const program = path.join(repository, 'tools/faults.mjs');
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...words], { encoding: 'utf8' });
  return { status, stdout, stderr };
}

const hasMatrix = /\bisFullMatrix\b/;

describe('npm run faults', () => {
  it('runs every test file that has cases for it alone', async () => {
    const { stdout } = faults('--listTests');
    const files = (await listFiles(repository)).filter((file) => !file.endsWith('fault-parts.test.ts'));
    const tests = files.filter((file) => file.endsWith('.test.ts'));
    const withMatrix = [
      ...tests.filter((file) => hasMatrix.test(readFileSync(path.join(repository, file), 'utf8'))),
      ...files.filter((file) => file.endsWith('.matrix.ts')),
    ];
    expect(withMatrix.length).toBeGreaterThan(15);
    expect(withMatrix.filter((file) => !stdout.includes(path.join(repository, file)))).toEqual([]);
  });

  it('runs one part alone', () => {
    const { stdout } = faults('kills', '--listTests');
    const files = ['kills.rabbitmq.matrix.ts', 'kills.test.ts', 'kills.two-replicas.matrix.ts'];
    expect(stdout.trim().split('\n').toSorted()).toEqual(files.map((file) => path.join(repository, 'e2e/src/faults', file)));
  });

  it('lists the parts when there is none of a name', () => {
    const { status, stderr } = faults('paymnets');
    expect([status, stderr]).toEqual([1, expect.stringMatching(/no part paymnets .*There are: orders, payments, /)]);
  });
});
