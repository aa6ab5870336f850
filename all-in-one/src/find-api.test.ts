import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { systemClock } from '@holdfast/kernel/context';
import { loadSecrets, openDataFolder } from './data-folder/index.js';
import { findKey } from './find-api.js';

let parent: string;

beforeEach(() => {
  parent = mkdtempSync(path.join(tmpdir(), 'holdfast-find-key-'));
});
afterEach(() => rmSync(parent, { recursive: true, force: true }));

describe('npm run key', () => {
  it('finds the key that the first start has generated, running or not', async () => {
    const dataDir = path.join(parent, 'data');
    const folder = await openDataFolder({ dataDir, mode: 'all-in-one', version: '1.2.3', clock: systemClock() });
    const { masterKey } = await loadSecrets(folder.path, {});
    expect(findKey({ HOLDFAST_DATA_DIR: dataDir })).toBe(masterKey);
    folder.lock.release();
    expect(findKey({ HOLDFAST_DATA_DIR: dataDir })).toBe(masterKey);
  });

  it('says why there is none', () => {
    expect(() => findKey({ HOLDFAST_DATA_DIR: path.join(parent, 'nothing') })).toThrow(/There is no key in .*nothing/);
    expect(() => findKey({ MASTER_KEY: 'm'.repeat(40) })).toThrow('MASTER_KEY is set');
  });
});
