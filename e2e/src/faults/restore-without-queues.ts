import { cpSync, rmSync } from 'node:fs';
import path from 'node:path';
import { findRunning } from '@holdfast/all-in-one';
import { eventually } from '@holdfast/testing/eventually';
import { apisOf, type Apis } from '../installation/withdrawals.js';
import { newDataDir, startDistributed, type RunningInstallation } from '../testing/installation.js';
import { childrenOf, commandOf, descendantsOf, killAll } from '../testing/processes.js';
import { runProgram } from '../testing/program.js';
import { expectPaidOnce } from './agreement.js';
import { anOrder, aUser, bringTo, call, driveToEnd, statusOf, textOf, type Order } from './order-life.js';
import { faultSettings } from './platform.js';

const deposited = '5.00';
/** Gauges are measured every few seconds. */
const measured = { timeoutMs: 60_000 };

type UnderWay = { readonly order: Order; readonly depositorId: string };

/**
 * A backup is made while RabbitMQ alone has a deposit and the command of a funding, because the ledger does not read its queue. Then
 * everything dies, and the backup is restored to a new folder, where the queues are empty. Both still arrive, once.
 */
export async function playRestoreWithoutQueues(): Promise<void> {
  const [original, restored, backup] = [newDataDir(), newDataDir(), path.join(newDataDir(), 'backup')];
  try {
    const underWay = await backUp(await startDistributed(original, faultSettings), { original, backup });
    expect(await runProgram('restore', on(restored), backup)).toMatchObject({ code: 0 });
    // The outside world has gone on since the backup.
    rmSync(path.join(restored, 'sandbox'), { recursive: true });
    cpSync(path.join(original, 'sandbox'), path.join(restored, 'sandbox'), { recursive: true });
    await expectEverything(await startDistributed(restored, faultSettings), restored, underWay);
  } finally {
    for (const folder of [original, restored, path.dirname(backup)])
      await eventually(() => rmSync(folder, { recursive: true, force: true }));
  }
}

const on = (dataDir: string) => ({ HOLDFAST_DATA_DIR: dataDir });

async function backUp(
  running: RunningInstallation,
  { original, backup }: { readonly original: string; readonly backup: string },
): Promise<UnderWay> {
  const { api, sandbox } = apisOf(running);
  const order = await anOrder(api);
  await bringTo(api, order, 'fund');
  const depositorId = await aUser(api, 'depositor');
  const address = textOf((await api.get(`/users/${depositorId}/wallet/deposit`)).data, 'address');
  await eventually(async () => expect(await unacknowledged(original)).toBe(0), measured);

  process.kill(ledgerOf(running), 'SIGSTOP');
  await sandbox.give(address, 'USDC', deposited);
  call(api, order, 'fund').catch(() => undefined);
  // The deposit, and the transaction that brought it.
  await eventually(async () => expect(await unacknowledged(original)).toBeGreaterThanOrEqual(2), measured);
  await eventually(async () => expect(await statusOf(api, order)).toBe('ESCROW_FUNDING'));
  expect(await runProgram('backup', on(original), backup)).toMatchObject({ code: 0 });

  killAll([running.pid, ...descendantsOf(running.pid)]);
  await running.ended;
  return { order, depositorId };
}

async function expectEverything(running: RunningInstallation, dataDir: string, underWay: UnderWay): Promise<void> {
  const apis = apisOf(running);
  const { order, depositorId } = underWay;
  await eventually(() => expectDeposit(apis, depositorId), measured);
  expect(await runProgram('restore', on(dataDir), '--accept', '--by', 'Ada')).toMatchObject({ code: 0 });
  await driveToEnd(apis.api, order, 'release');
  await eventually(() => expectPaidOnce(apis.api, order, 'release'));
  await eventually(async () => expect(await unacknowledged(dataDir)).toBe(0), measured);
  await expectDeposit(apis, depositorId);
  expect(await runProgram('verifyLedger', on(dataDir))).toMatchObject({ code: 0 });
  running.signal('SIGTERM');
  expect(await running.ended).toBe(0);
}

async function expectDeposit({ api }: Apis, userId: string): Promise<void> {
  const { data } = await api.get(`/users/${userId}/balance?currency=USDC`);
  expect(data).toMatchObject({ available: deposited, reserved: '0.00' });
}

/** How many messages escrow-adapter repeats until they are acknowledged. */
async function unacknowledged(dataDir: string): Promise<number> {
  const url = findRunning(dataDir)?.metricsUrls?.['escrow-adapter'] ?? '';
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^holdfast_outbox_unacknowledged_messages(?:\{[^}]*\})? (\d+)$/m.exec(text)?.[1]);
}

function ledgerOf({ pid }: RunningInstallation): number {
  const found = childrenOf(pid).find((child) => commandOf(child).includes('\0ledger-balance\0'));
  if (found === undefined) throw new Error('no process of ledger-balance is running');
  return found;
}
