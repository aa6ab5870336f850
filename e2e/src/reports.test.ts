import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isFullMatrix } from '@holdfast/testing/fault-matrix';
import { testDatabase, type TestDatabase } from '@holdfast/testing/postgres';
import { lockDefaultNamespace, type DefaultNamespace } from '@holdfast/testing/rabbitmq';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { startNetwork, type Network } from './public-network/network.js';
import { startOneProcess, type Platform } from './public-network/platform.js';
import { aDepositor, aStranger, spendAs } from './public-network/strangers.js';
import { planTrade, trade, type Plan, type Trade } from './public-network/trade.js';
import { aPayment, drivePaymentToEnd } from './faults/payment-life.js';
import { newDataDir } from './testing/installation.js';
import { killLeftPrograms } from './testing/program.js';

/** `npm run faults -- reports` has the ledgers and the load of a public network. */
const load = isFullMatrix
  ? { ledgerMs: 5_000, orders: 100, reportEveryMs: 10_000, timeoutMs: 1_500_000 }
  : { ledgerMs: 1_000, orders: 8, reportEveryMs: 1_000, timeoutMs: 120_000 };

jest.setTimeout(2 * load.timeoutMs);

const folder = newDataDir();
const dataDir = path.join(folder, 'platform');
let database: TestDatabase;
let names: DefaultNamespace;
let network: Network;
let platform: Platform;

beforeAll(async () => {
  database = await testDatabase();
  names = await lockDefaultNamespace();
  network = await startNetwork(folder, { ledgerMs: load.ledgerMs, indexLagMs: 0, callsPerMinute: 100_000 });
  const servers = { database, amqpUrl: names.url, network, dataDir };
  // The history is read as rarely as on a public network.
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

/** The transactions of one buyer land one after the other. */
const ordersPerBuyer = 10;

type Listed = { readonly data: readonly unknown[] };

type Report = { readonly currency: string; readonly difference: string | null; readonly unexplained: string | null };

/** Of each currency, the difference to outside systems and what nothing explains. */
async function reported(): Promise<readonly string[]> {
  const { status, data } = await platform.master().post('/reconciliation/reports', {});
  expect(status).toBe(201);
  return (data['reports'] as readonly Report[]).map(
    ({ currency, difference, unexplained }) => `${currency} ${difference ?? '-'} ${unexplained ?? '-'}`,
  );
}

const right = ['USD 0.00 0.00', 'USDC 0.00 0.00', 'XLM 0.00 0.00'];

describe('reports while orders are paid and released', () => {
  it('are never wrong, and open no case', async () => {
    const api = await platform.openMarketplace('Under load', 0);
    const markets: Trade[] = [];
    for (let start = 0; start < plans.length; start += ordersPerBuyer)
      markets.push(await planTrade(api, plans.slice(start, start + ordersPerBuyer)));
    const [depositor, stranger] = [await aDepositor(api, load.timeoutMs), await aStranger(network)];
    const state = { isTrading: true };
    const traded = Promise.all(markets.map((market) => trade(market, () => undefined, load.timeoutMs))).finally(() => {
      state.isTrading = false;
    });
    const payers = (['top-up', 'bank', 'ledger', 'failed'] as const).map(async (flow) => {
      while (state.isTrading)
        await drivePaymentToEnd({ api, sandbox: network.control }, await aPayment({ api, sandbox: network.control }, flow));
    });
    const reports: (readonly string[])[] = [];
    let deposits = 0;
    while (state.isTrading) {
      const [report] = await Promise.all([reported(), stranger.pay(depositor.address), delay(load.reportEveryMs)]);
      deposits += 1;
      reports.push(report);
    }
    await Promise.all([traded, ...payers]);
    await depositor.expectCredited(deposits, load.timeoutMs);
    reports.push(await reported());
    expect(reports.length).toBeGreaterThan(3);
    // On a busy machine a source may not be read in time; then the report says so, and nothing wrong.
    expect(reports.filter((report) => report.some((line) => !/^[A-Z]+ (0\.00|-) (0\.00|-)$/.test(line)))).toEqual([]);
    expect(reports.filter((report) => report.join() === right.join()).length).toBeGreaterThan(reports.length / 2);
    const cases = (await platform.master().get('/reconciliation/cases')).data as unknown as Listed;
    expect(cases.data).toEqual([]);
  });
});

describe('a report after one term was changed behind the back of the platform', () => {
  const changes = [
    [
      'a balance',
      "update ledger_balance.accounts set available_units = available_units + $1 where kind = 'user' and currency = 'USD'",
    ],
    ['what the payment provider holds', 'update payments.provider_capital set units = units + $1'],
  ] as const;

  it.each(changes)('names %s', async (_, change) => {
    const users = `select count(*)::integer as count from ledger_balance.accounts where kind = 'user' and currency = 'USD'`;
    const [counted] = await database.asAdmin<{ readonly count: number }>(users);
    const rows = change.includes('accounts') ? (counted?.count ?? 0) : 1;
    await database.asAdmin(change, [10_000_000]);
    const missing = `-${rows.toString()}.00`;
    expect(await reported()).toEqual([`USD 0.00 ${missing}`, `USDC 0.00 ${missing}`, 'XLM 0.00 0.00']);
    await database.asAdmin(change, [-10_000_000]);
    expect(await reported()).toEqual(right);
  });

  it('names what was sent away with the seed of the treasury, in a case', async () => {
    await spendAs(network, readFileSync(path.join(dataDir, 'treasury-seed'), 'utf8').trim(), '10000000', 'USDC');
    expect(await reported()).toEqual(['USD 0.00 -10000000.00', 'USDC 0.00 -10000000.00', 'XLM 0.00 0.00']);
    const cases = (await platform.master().get('/reconciliation/cases?status=OPEN')).data as unknown as Listed;
    expect(cases.data).toMatchObject(
      expect.arrayContaining([expect.objectContaining({ source: 'solvency', amount: '-10000000.00', currency: 'USDC' })]),
    );
    expect(await platform.command('verifyLedger')).toContain('-10000000.00');
  });
});
