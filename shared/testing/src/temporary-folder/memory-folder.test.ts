import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { makeMemoryFolder } from './memory-folder.js';

const parent = mkdtempSync(path.join(tmpdir(), 'holdfast-memory-'));

afterAll(() => rmSync(parent, { recursive: true }));

describe('makeMemoryFolder', () => {
  it('makes a folder that every user may use, and removes the folders of runs that have ended', () => {
    const { pid: ended } = spawnSync(process.execPath, ['--version']);
    const [left, used] = [`holdfast-tests-${ended.toString()}-a`, `holdfast-tests-${process.pid.toString()}-a`];
    for (const name of [left, used, 'somebody-else']) mkdirSync(path.join(parent, name));
    const made = makeMemoryFolder({ parent, bytesMin: 0 }) ?? '';
    expect(statSync(made).mode & 0o7777).toBe(0o1777);
    expect(readdirSync(parent).sort()).toEqual([used, path.basename(made), 'somebody-else'].sort());
  });

  it('makes none where there is too little memory, or no such file system', () => {
    expect(makeMemoryFolder({ parent, bytesMin: Number.MAX_SAFE_INTEGER })).toBeUndefined();
    expect(makeMemoryFolder({ parent: path.join(parent, 'missing'), bytesMin: 1 })).toBeUndefined();
  });
});
