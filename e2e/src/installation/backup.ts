import { cpSync, existsSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { findRunning } from '@holdfast/all-in-one';
import { runAsAdministrator } from '@holdfast/dev-servers/postgres';
import { eventually } from '@holdfast/testing/eventually';
import { anOrder, bringTo, call, statusOf, type Order } from '../faults/order-life.js';
import { callStep, type Payment } from '../faults/payment-life.js';
import { startAllInOne, type RunningInstallation } from '../testing/installation.js';
import { runProgram } from '../testing/program.js';
import { apisOf, aWithdrawal, commitHeld, expectCommitRefused, expectCompleted, received } from './withdrawals.js';

/** What is under way when the backup is made. */
export type UnderWay = { readonly order: Order; readonly withdrawal: Payment };

type Folders = { readonly original: string; readonly restored: string; readonly backup: string };

const on = (dataDir: string) => ({ HOLDFAST_DATA_DIR: dataDir });
const because = (reason: string): readonly string[] => ['--by', 'Ada', '--reason', reason];

/** A backup is made while an order is funded and a withdrawal waits for the end of the emergency stop; then the withdrawal is paid. */
export async function backUp(running: RunningInstallation, { original, backup }: Folders): Promise<UnderWay> {
  const apis = apisOf(running);
  const order = await anOrder(apis.api);
  await bringTo(apis.api, order, 'release');
  expect(await runProgram('emergency', on(original), 'stop', ...because('the withdrawal waits'))).toMatchObject({ code: 0 });
  const withdrawal = await aWithdrawal(apis);
  await expectCommitRefused(apis, withdrawal);
  await letCommitsBegin(original);
  await commitHeld(apis, withdrawal);
  expect(await received(apis, withdrawal)).toBe('10.0000000');

  const made = await runProgram('backup', on(original), backup);
  expect({ ...made, mode: statSync(backup).mode & 0o077 }).toMatchObject({ code: 0, mode: 0 });

  await runProgram('emergency', on(original), 'resume', ...because('the backup is made'));
  await expectCompleted(apis, withdrawal);
  expect(await received(apis, withdrawal)).toBe('50.0000000');
  const refused = await runProgram('restore', on(original), backup);
  expect(refused).toMatchObject({ code: 1, output: expect.stringMatching(/is running on .*Nothing was changed/) });
  return { order, withdrawal };
}

/** Requests that reach payments now are like those that were begun right before the stop: only the adapter, which signs, knows of it. */
async function letCommitsBegin(dataDir: string): Promise<void> {
  const execute = (sql: string): Promise<void> => runAsAdministrator(findRunning(dataDir)?.databaseUrl ?? '', sql, []);
  // The division fails until the adapter has stored the stop.
  await eventually(() => execute('select 1 / count(*) from escrow_adapter.emergency_stop where is_stopped'));
  await execute('update payments.emergency_stop set is_stopped = false');
}

export async function expectRefusedIfDamaged({ restored, backup }: Folders): Promise<void> {
  const [first = ''] = readdirSync(path.join(backup, 'sandbox'));
  const file = path.join(backup, 'sandbox', first);
  const text = readFileSync(file);
  writeFileSync(file, Buffer.concat([text, Buffer.from('x')]));
  const damaged = await runProgram('restore', on(restored), backup);
  writeFileSync(file, text);
  expect(damaged).toMatchObject({ code: 1, output: expect.stringContaining(`is damaged: sandbox/${first}`) });
  expect(readdirSync(restored)).toEqual([]);
}

/** The books are sound, nothing is paid until a person accepts, and nothing is paid twice. Resolves to the installation that runs. */
export async function restore(
  { original, restored, backup }: Folders,
  { order, withdrawal }: UnderWay,
): Promise<RunningInstallation> {
  expect(await runProgram('restore', on(restored), backup)).toMatchObject({ code: 0 });
  // The outside world has gone on since the backup.
  rmSync(path.join(restored, 'sandbox'), { recursive: true });
  cpSync(path.join(original, 'sandbox'), path.join(restored, 'sandbox'), { recursive: true });
  const running = await startAllInOne(restored);
  const apis = apisOf(running);
  await running.prints('restored from the backup of');
  expect(await runProgram('verifyLedger', on(restored))).toMatchObject({ code: 0 });
  const resumed = await runProgram('emergency', on(restored), 'resume', ...because('in a hurry'));
  expect(resumed).toMatchObject({ code: 1, output: expect.stringContaining('npm run restore -- --accept --by') });
  const status = await runProgram('emergency', on(restored), 'status');
  expect(status.output).toMatch(/STOPPED[^]*changed by restore .*restored from the backup of/);
  // It was paid after the backup, and is found on the network, for which nothing has to be signed.
  await expectCompleted(apis, withdrawal);
  expect(await received(apis, withdrawal)).toBe('50.0000000');
  const waiting = await aWithdrawal(apis);
  await expectCommitRefused(apis, waiting);

  expect(await runProgram('restore', on(restored), '--accept', '--by', 'Ada')).toMatchObject({ code: 0 });
  expect(existsSync(path.join(restored, 'restored.json'))).toBe(false);
  await eventually(async () => expect(await callStep(apis, waiting, 'commit')).toMatchObject({ status: 200 }));
  await expectCompleted(apis, waiting);
  expect([await received(apis, waiting), await received(apis, withdrawal)]).toEqual(['50.0000000', '50.0000000']);
  const released = await call(apis.api, order, 'release');
  expect([released.status, await statusOf(apis.api, order)]).toEqual([200, 'CLOSED']);
  expect(await runProgram('verifyLedger', on(restored))).toMatchObject({ code: 0 });
  return running;
}
