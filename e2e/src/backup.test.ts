import { cpSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { eventually } from '@holdfast/testing/eventually';
import { anOrder, bringTo, call, statusOf, textOf, type Order } from './faults/order-life.js';
import { aPayment, callStep, withdrawalOf, type Payment } from './faults/payment-life.js';
import { sandboxControl, type SandboxControl } from './faults/sandbox-control.js';
import { apiOf, type Api } from './testing/api.js';
import { newDataDir, startAllInOne, type RunningInstallation } from './testing/installation.js';
import { killLeftPrograms, runProgram } from './testing/program.js';

jest.setTimeout(300_000);

const [original, restored] = [newDataDir(), newDataDir()];
const backups = mkdtempSync(path.join(tmpdir(), 'holdfast-backups-'));
const backup = path.join(backups, 'monday');
const on = (dataDir: string) => ({ HOLDFAST_DATA_DIR: dataDir });

type Platform = { readonly api: Api; readonly sandbox: SandboxControl };
const platformOf = ({ baseUrl, masterKey, sandboxUrl }: RunningInstallation): Platform => ({
  api: apiOf(baseUrl, masterKey),
  sandbox: sandboxControl(sandboxUrl),
});

afterAll(async () => {
  await killLeftPrograms();
  for (const folder of [original, restored, backups]) await eventually(() => rmSync(folder, { recursive: true, force: true }));
});

/** What is under way when the backup is made. */
let funded: Order;
let withdrawal: Payment;

/** A withdrawal of 40 XLM to an account that has 10 XLM. */
async function aCommittedWithdrawal(platform: Platform): Promise<Payment> {
  const payment = await aPayment(platform, 'ledger');
  await callStep(platform, payment, 'create-withdrawal');
  await callStep(platform, payment, 'commit');
  return payment;
}

async function received({ sandbox }: Platform, payment: Payment): Promise<string | undefined> {
  const { accounts } = await sandbox.state();
  return accounts.find(({ address }) => address === payment.address)?.balances['XLM'];
}

async function completed({ api }: Platform, payment: Payment): Promise<void> {
  const place = `/withdrawals/${await withdrawalOf(api, payment)}`;
  const isCompleted = async () => expect(textOf((await api.get(place)).data, 'status')).toBe('WITHDRAWAL_COMPLETED');
  await eventually(isCompleted, { timeoutMs: 60_000 });
}

async function stop(installation: RunningInstallation): Promise<void> {
  installation.signal('SIGTERM');
  await installation.ended;
}

describe('a backup of a running installation', () => {
  it('is made while orders and a withdrawal are under way, and the installation goes on', async () => {
    const running = await startAllInOne(original);
    const platform = platformOf(running);
    funded = await anOrder(platform.api);
    await bringTo(platform.api, funded, 'release');
    await runProgram('emergency', on(original), 'stop', '--by', 'Ada', '--reason', 'the withdrawal waits');
    withdrawal = await aCommittedWithdrawal(platform);
    expect(await received(platform, withdrawal)).toBe('10.0000000');

    const made = await runProgram('backup', on(original), backup);
    expect({ ...made, mode: statSync(backup).mode & 0o077 }).toMatchObject({ code: 0, mode: 0 });

    await runProgram('emergency', on(original), 'resume', '--by', 'Ada', '--reason', 'the backup is made');
    await completed(platform, withdrawal);
    expect(await received(platform, withdrawal)).toBe('50.0000000');
    const refused = await runProgram('restore', on(original), backup);
    expect(refused).toMatchObject({ code: 1, output: expect.stringMatching(/is running on .*Nothing was changed/) });
    await stop(running);
  });

  it('is refused where a file of it was changed, and for a data folder that is not empty', async () => {
    const [first = ''] = readdirSync(path.join(backup, 'sandbox'));
    const file = path.join(backup, 'sandbox', first);
    const text = readFileSync(file);
    writeFileSync(file, Buffer.concat([text, Buffer.from('x')]));
    const damaged = await runProgram('restore', on(restored), backup);
    writeFileSync(file, text);
    expect(damaged).toMatchObject({ code: 1, output: expect.stringContaining(`is damaged: sandbox/${first}`) });
    expect(readdirSync(restored)).toEqual([]);
    const full = await runProgram('restore', on(original), backup);
    expect(full).toMatchObject({ code: 1, output: expect.stringContaining('is not empty') });
  });

  it('is restored with sound books, pays nothing until it is accepted, and never pays a withdrawal twice', async () => {
    expect(await runProgram('restore', on(restored), backup)).toMatchObject({ code: 0 });
    // The outside world has gone on since the backup.
    rmSync(path.join(restored, 'sandbox'), { recursive: true });
    cpSync(path.join(original, 'sandbox'), path.join(restored, 'sandbox'), { recursive: true });
    const running = await startAllInOne(restored);
    const platform = platformOf(running);
    await running.prints('restored from the backup of');
    expect(await runProgram('verifyLedger', on(restored))).toMatchObject({ code: 0 });
    const resumed = await runProgram('emergency', on(restored), 'resume', '--by', 'Ada', '--reason', 'in a hurry');
    expect(resumed).toMatchObject({ code: 1, output: expect.stringContaining('npm run restore -- --accept --by') });
    const status = await runProgram('emergency', on(restored), 'status');
    expect(status.output).toMatch(/STOPPED[^]*changed by restore .*restored from the backup of/);
    // It was paid after the backup, and is found on the network, for which nothing has to be signed.
    await completed(platform, withdrawal);
    expect(await received(platform, withdrawal)).toBe('50.0000000');
    const waiting = await aCommittedWithdrawal(platform);

    expect(await received(platform, waiting)).toBe('10.0000000');
    expect(await runProgram('restore', on(restored), '--accept', '--by', 'Ada')).toMatchObject({ code: 0 });
    expect(existsSync(path.join(restored, 'restored.json'))).toBe(false);
    await completed(platform, waiting);
    expect([await received(platform, waiting), await received(platform, withdrawal)]).toEqual(['50.0000000', '50.0000000']);
    const released = await call(platform.api, funded, 'release');
    expect([released.status, await statusOf(platform.api, funded)]).toEqual([200, 'CLOSED']);
    expect(await runProgram('verifyLedger', on(restored))).toMatchObject({ code: 0 });
    await stop(running);
  });
});
