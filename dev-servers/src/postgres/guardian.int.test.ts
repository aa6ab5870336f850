import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { eventually } from '@holdfast/testing/eventually';
import type { DataFolder } from './data-folder.js';
import { spawnGuardian } from './guardian.js';

const folder = mkdtempSync(path.join(tmpdir(), 'holdfast-guardian-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Stands for a server that is not ready for its first signal. */
function aServerThatMissesOneSignal(): DataFolder {
  const [program, ready] = [path.join(folder, 'server'), path.join(folder, 'ready')];
  const lines = [
    `#!${process.execPath}`,
    'let signals = 0;',
    "process.on('SIGINT', () => { if ((signals += 1) === 2) process.exit(0); });",
    `require('node:fs').writeFileSync(${JSON.stringify(ready)}, '');`,
    'setInterval(() => undefined, 1_000);',
  ];
  writeFileSync(program, lines.join('\n'));
  chmodSync(program, 0o755);
  const parts = { binaries: { postgres: program }, cluster: folder, logFile: path.join(folder, 'log') };
  return parts as unknown as DataFolder;
}

it('signals the server until it has ended, once the parent process has', async () => {
  const guardian = spawnGuardian(aServerThatMissesOneSignal(), 1);
  const exit = once(guardian, 'exit');
  await eventually(() => expect(existsSync(path.join(folder, 'ready'))).toBe(true));
  guardian.stdin?.end();
  expect(await exit).toEqual([0, null]);
});
