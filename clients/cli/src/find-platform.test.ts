import { rmSync } from 'node:fs';
import path from 'node:path';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { lockFolder } from '@holdfast/all-in-one/commands';
import { systemClock } from '@holdfast/kernel/context';
import { writeFileSync } from 'node:fs';
import { findPlatform, findSandbox, rootOf } from './find-platform.js';

const storedKey = 'hk_master_of_this_folder_0123456789';
const otherKey = 'hk_given_0123456789012345678901234';
let dataDir: string;

beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'holdfast-cli-'));
  writeFileSync(path.join(dataDir, 'holdfast.json'), '{}');
  writeFileSync(path.join(dataDir, 'master-key'), storedKey);
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

async function run(facts: { readonly baseUrl?: string; readonly sandboxUrl?: string }): Promise<void> {
  (await lockFolder(dataDir, 'all-in-one', systemClock())).update(facts);
}

describe('the platform of a command', () => {
  it('is the one that runs on the data folder, with its key', async () => {
    await run({ baseUrl: 'http://127.0.0.1:8080/api/v1', sandboxUrl: 'http://127.0.0.1:8090' });
    expect(findPlatform({}, { HOLDFAST_DATA_DIR: dataDir })).toEqual({ root: 'http://127.0.0.1:8080', key: storedKey });
    expect(findSandbox(undefined, { HOLDFAST_DATA_DIR: dataDir })).toBe('http://127.0.0.1:8090');
  });

  it('has the address of the folder also where MASTER_KEY came from the environment', async () => {
    await run({ baseUrl: 'http://127.0.0.1:8080/api/v1' });
    rmSync(path.join(dataDir, 'master-key'));
    const env = { HOLDFAST_DATA_DIR: dataDir, MASTER_KEY: otherKey };
    expect(findPlatform({}, env)).toEqual({ root: 'http://127.0.0.1:8080', key: otherKey });
  });

  it('is what the options name, then what the environment names', async () => {
    await run({ baseUrl: 'http://127.0.0.1:8080/api/v1' });
    const env = { HOLDFAST_DATA_DIR: dataDir, HOLDFAST_API: 'https://env.example/', HOLDFAST_KEY: otherKey };
    expect(findPlatform({}, env)).toEqual({ root: 'https://env.example', key: otherKey });
    expect(findPlatform({ api: 'https://option.example', key: 'k' }, env)).toEqual({ root: 'https://option.example', key: 'k' });
  });

  it('never sends the stored key to another address', async () => {
    await run({ baseUrl: 'http://127.0.0.1:8080/api/v1' });
    const env = { HOLDFAST_DATA_DIR: dataDir };
    expect(() => findPlatform({ api: 'https://elsewhere.example' }, env)).toThrow('There is no API key');
    expect(findPlatform({ api: 'http://127.0.0.1:8080/api/v1/' }, env).key).toBe(storedKey);
  });

  it('says what to do where nothing runs, and while it is still starting', async () => {
    expect(() => findPlatform({}, { HOLDFAST_DATA_DIR: dataDir })).toThrow(/Nothing runs on .*npm start/);
    await run({});
    expect(() => findPlatform({}, { HOLDFAST_DATA_DIR: dataDir })).toThrow('is still starting');
    expect(() => findSandbox(undefined, { HOLDFAST_DATA_DIR: dataDir })).toThrow('There is no sandbox');
  });

  it('takes the root with or without the prefix of the API, and refuses a text that is not an address', () => {
    expect(['http://a:1', 'http://a:1/', 'http://a:1/api/v1', 'http://a:1/api/v1/'].map(rootOf)).toEqual(
      Array(4).fill('http://a:1'),
    );
    expect(() => rootOf('localhost:8080')).toThrow('--api must be an address');
  });
});
