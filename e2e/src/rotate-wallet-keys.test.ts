import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { eventually } from '@holdfast/testing/eventually';
import { anOrder, bringTo, call, statusOf } from './faults/order-life.js';
import { apiOf } from './testing/api.js';
import { newDataDir, startAllInOne } from './testing/installation.js';
import { killLeftPrograms, runProgram } from './testing/program.js';

jest.setTimeout(240_000);

const dataDir = newDataDir();
const settings = { HOLDFAST_DATA_DIR: dataDir };
const keyFile = path.join(dataDir, 'wallet-master-key');
const previousFile = `${keyFile}-previous`;

afterAll(async () => {
  await killLeftPrograms();
  await eventually(() => rmSync(dataDir, { recursive: true, force: true }));
});

describe('npm run rotate-wallet-keys', () => {
  it('gives wallets of a stopped installation a new key, and they sign on', async () => {
    const first = await startAllInOne(dataDir);
    const order = await anOrder(apiOf(first.baseUrl, first.masterKey));
    await bringTo(apiOf(first.baseUrl, first.masterKey), order, 'release');
    const running = await runProgram('rotateWalletKeys', settings);
    expect(running).toMatchObject({ code: 1, output: expect.stringContaining('is running on') });
    first.signal('SIGTERM');
    await first.ended;
    const old = readFileSync(keyFile, 'utf8');

    const { code, output } = await runProgram('rotateWalletKeys', settings);
    expect({ code, output }).toMatchObject({ code: 0, output: expect.stringMatching(/[1-9]\d* wrapped with the new key/) });
    expect([readFileSync(keyFile, 'utf8') === old, existsSync(previousFile)]).toEqual([false, false]);

    const second = await startAllInOne(dataDir);
    const released = await call(apiOf(second.baseUrl, second.masterKey), order, 'release');
    expect([released.status, await statusOf(apiOf(second.baseUrl, second.masterKey), order)]).toEqual([200, 'CLOSED']);
    second.signal('SIGTERM');
    await second.ended;
  });

  it('takes one of two keys alone for a mistake', async () => {
    const { code, output } = await runProgram('rotateWalletKeys', { ...settings, WALLET_MASTER_KEY: 'k'.repeat(40) });
    expect({ code, output }).toMatchObject({ code: 1, output: expect.stringContaining('WALLET_MASTER_KEY_PREVIOUS') });
  });
});
