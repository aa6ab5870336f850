import { rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isFullMatrix } from '@holdfast/testing/fault-matrix';
import { testDatabase, type TestDatabase } from '@holdfast/testing/postgres';
import { lockDefaultNamespace, type DefaultNamespace } from '@holdfast/testing/rabbitmq';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { textOf } from './faults/order-life.js';
import { startNetwork, type Network } from './public-network/network.js';
import { startOneProcess, type Platform } from './public-network/platform.js';
import { aDepositor, aStranger } from './public-network/strangers.js';
import { planTrade, trade, type Plan } from './public-network/trade.js';
import { newDataDir } from './testing/installation.js';
import { killLeftPrograms } from './testing/program.js';

/** `npm run faults -- reports` has the ledgers and the load of a public network. */
const load = isFullMatrix
  ? { ledgerMs: 5_000, orders: 100, reportEveryMs: 10_000, timeoutMs: 1_500_000 }
  : { ledgerMs: 1_000, orders: 8, reportEveryMs: 1_000, timeoutMs: 120_000 };

jest.setTimeout(2 * load.timeoutMs);

const folder = newDataDir();
let database: TestDatabase;
let names: DefaultNamespace;
let network: Network;
let platform: Platform;

beforeAll(async () => {
  database = await testDatabase();
  names = await lockDefaultNamespace();
  network = await startNetwork(folder, { ledgerMs: load.ledgerMs, indexLagMs: 0, callsPerMinute: 100_000 });
  const servers = { database, amqpUrl: names.url, network, dataDir: path.join(folder, 'platform') };
  // The history is read as rarely as that of a public network.
  const watch = { LEDGER_WATCH_EVERY_MS: '5000' };
  const settings = { ...watch, SETTLEMENT_TIMEOUT_MS: '60000', SAGA_STALLED_AFTER_MS: '30000', LOG_LEVEL: 'warn' };
  platform = await startOneProcess(servers, settings);
}, serverStartTimeoutMs);

afterAll(async () => {
  await killLeftPrograms();
  await names.release();
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
}, serverStartTimeoutMs);

const endings = ['release', 'refund', 'split', 'full-release', 'cancel'] as const;
const plans = Array.from({ length: load.orders }, (_, nth): Plan => ({ ending: endings[nth % endings.length] ?? 'release' }));

type Listed = { readonly data: readonly unknown[] };

async function reported(): Promise<readonly string[]> {
  const { status, data } = await platform.master().post('/reconciliation/reports', {});
  expect(status).toBe(201);
  return (data['reports'] as readonly unknown[]).map((report) => `${textOf(report, 'currency')} ${textOf(report, 'difference')}`);
}

describe('reports while orders are paid and released', () => {
  it('are never wrong, and open no case', async () => {
    const api = await platform.openMarketplace('Under load', 0);
    const market = await planTrade(api, plans);
    const [depositor, stranger] = [await aDepositor(api, load.timeoutMs), await aStranger(network)];
    let isTrading = true;
    const traded = trade(market, () => undefined, load.timeoutMs).finally(() => {
      isTrading = false;
    });
    const reports: (readonly string[])[] = [];
    let deposits = 0;
    while (isTrading) {
      const [report] = await Promise.all([reported(), stranger.pay(depositor.address), delay(load.reportEveryMs)]);
      deposits += 1;
      reports.push(report);
    }
    await traded;
    await depositor.expectCredited(deposits, load.timeoutMs);
    reports.push(await reported());
    expect(reports.length).toBeGreaterThan(3);
    expect(reports.filter((report) => report.join() !== 'USD 0.00,USDC 0.00,XLM 0.00')).toEqual([]);
    const cases = (await platform.master().get('/reconciliation/cases')).data as unknown as Listed;
    expect(cases.data).toEqual([]);
  });
});
