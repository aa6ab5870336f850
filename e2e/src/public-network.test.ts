import { readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { processEnvironment } from '@holdfast/process/config';
import { eventually } from '@holdfast/testing/eventually';
import { isFullMatrix } from '@holdfast/testing/fault-matrix';
import { testDatabase, type TestDatabase } from '@holdfast/testing/postgres';
import { lockDefaultNamespace, type DefaultNamespace } from '@holdfast/testing/rabbitmq';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { expectReconciled } from './faults/agreement.js';
import { expectNoDifference } from './faults/payment-life.js';
import { armFaults, armPassingFaults } from './public-network/faults.js';
import { startNetwork, type Conditions, type Network } from './public-network/network.js';
import { startOneProcess, startReplicas, type Platform } from './public-network/platform.js';
import { aDepositor, aStranger, spendAs, type Depositor, type Stranger } from './public-network/strangers.js';
import { expectPaid, planTrade, trade, type Plan, type Trade } from './public-network/trade.js';
import { newDataDir } from './testing/installation.js';
import { killLeftPrograms } from './testing/program.js';

/** `npm run public-network` has the real network's ledgers and limits; the others a day in quick motion. */
const isRealTime = processEnvironment()['HOLDFAST_PUBLIC_NETWORK'] === 'real-time';
/** Two replicas of every service and three marketplaces, else one process and one marketplace. */
const isWhole = isRealTime || isFullMatrix;

const conditions: Conditions = {
  ...(isRealTime ? { ledgerMs: 5_000, indexLagMs: 20_000 } : { ledgerMs: 300, indexLagMs: 1_000 }),
  callsPerMinute: callsPerMinute(),
};

/** The budget of the platform, which is to make it wait. */
function callsPerMinute(): number {
  if (isRealTime) return 50;
  return isWhole ? 90 : 120;
}

/** Calls give up after this time with 504, and the clients look again. */
const settlementTimeoutMs = isRealTime ? 60_000 : 10_000;
const dayTimeoutMs = isRealTime ? 1_500_000 : 240_000;
const eveningTimeoutMs = isRealTime ? 180_000 : 90_000;

jest.setTimeout(dayTimeoutMs + 2 * eveningTimeoutMs);

/** Every way in which an order ends. */
const plans: readonly (readonly Plan[])[] = isWhole
  ? [
      [{ ending: 'release' }, { ending: 'refund' }, { ending: 'release' }, { ending: 'cancel' }],
      [{ ending: 'release', milestones: 2 }, { ending: 'split' }, { ending: 'full-refund' }],
      [{ ending: 'full-release' }, { ending: 'release' }, { ending: 'refund', milestones: 2 }],
    ]
  : [[{ ending: 'release', milestones: 2 }, { ending: 'refund' }, { ending: 'split' }, { ending: 'cancel' }]];

const folder = newDataDir();
const dataDir = path.join(folder, 'platform');
let database: TestDatabase;
let names: DefaultNamespace;
let network: Network;
let platform: Platform;

beforeAll(async () => {
  database = await testDatabase();
  names = await lockDefaultNamespace();
  network = await startNetwork(folder, conditions);
  const settings = {
    SETTLEMENT_TIMEOUT_MS: settlementTimeoutMs.toString(),
    SAGA_STALLED_AFTER_MS: '5000',
    UNKNOWN_OUTFLOW_STOPS: 'true',
    LOG_LEVEL: 'warn',
  };
  const start = isWhole ? startReplicas : startOneProcess;
  platform = await start({ database, amqpUrl: names.url, network, dataDir }, settings);
}, serverStartTimeoutMs);

afterAll(async () => {
  await killLeftPrograms();
  await names.release();
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
}, serverStartTimeoutMs);

describe('a day on a public network', () => {
  const trades: Trade[] = [];
  const depositors: Depositor[] = [];
  let stranger: Stranger;
  let deposits = 0;

  it('ends with every order closed, whatever fails and dies meanwhile', async () => {
    for (const [nth, plan] of plans.entries()) {
      const api = await platform.openMarketplace(`Marketplace ${nth.toString()}`, nth);
      trades.push(await planTrade(api, plan));
      depositors.push(await aDepositor(api, eveningTimeoutMs));
    }
    stranger = await aStranger(network);
    await armFaults(network.control);
    let ended = 0;
    const traded = Promise.all(trades.map((market) => trade(market, () => (ended += 1), dayTimeoutMs)));
    await Promise.all([traded, disturb(() => ended)]);
  });

  it('has refused what the provider falsified', async () => {
    const refused = await Promise.all(trades.map(({ api }) => api.get('/audit/logs?action=SIGNING_REFUSED')));
    const entries = refused.flatMap(({ data }) => (Array.isArray(data['data']) ? (data['data'] as readonly unknown[]) : []));
    expect(entries.length).toBeGreaterThan(0);
  });

  it('has paid everybody once, and credited every deposit', async () => {
    for (const market of trades) await expectPaid(market, eveningTimeoutMs);
    for (const depositor of depositors) await depositor.expectCredited(deposits, eveningTimeoutMs);
  });

  it('leaves no open saga run and no open intent', async () => {
    for (const open of openWork) {
      await eventually(async () => expect(await database.asAdmin(open)).toEqual([]), { timeoutMs: eveningTimeoutMs });
    }
    expect(await platform.command('sagas', 'list')).toBe('No saga runs are open.\n');
  });

  it('leaves books that are sound and equal to the chain', async () => {
    await network.control.clear();
    for (const { api, orders } of trades) await expectReconciled({ database, sandbox: network.control, api }, orders);
    await expectNoDifference(platform.master());
    expect(await platform.command('verifyLedger')).toContain('Sound');
  });

  it('stops all payouts within a minute after a thief has used the seed of the treasury', async () => {
    await spendAs(network, readFileSync(path.join(dataDir, 'treasury-seed'), 'utf8').trim(), '1');
    const stops = ['identity', 'escrow_adapter', 'orders', 'payments'].map(
      (schema) => `select is_stopped from ${schema}.emergency_stop`,
    );
    for (const stop of stops) {
      await eventually(async () => expect(await database.asAdmin(stop)).toEqual([{ is_stopped: true }]), { timeoutMs: 60_000 });
    }
    const { data } = await platform.master().get('/reconciliation/cases?kind=unknown_outflow');
    expect(data['data']).toMatchObject([{ kind: 'unknown_outflow', amount: '-1.00', currency: 'XLM', status: 'OPEN' }]);
  });

  it('has used the given servers: its data folder holds secrets only, and nothing is parked in the database', async () => {
    expect(platform.output()).toContain(`RabbitMQ at ${new URL(names.url).host}`);
    expect(await platform.command('parked', 'list')).toContain('No messages are parked');
    await platform.stop();
    const secrets = ['escrow-webhook-secret', 'master-key', 'payment-webhook-secret', 'platform-seed', 'treasury-seed'];
    expect(readdirSync(dataDir).sort()).toEqual([...secrets, 'holdfast.json', 'wallet-master-key'].sort());
  });

  /** Strangers pay, and processes die: each event waits for the day to have come that far. */
  async function disturb(ended: () => number): Promise<void> {
    const restartNetwork = async (): Promise<void> => {
      await network.killAndRestart();
      await armPassingFaults(network.control);
    };
    const ofWhole = [() => platform.kill('escrow-adapter'), () => platform.kill('orders'), restartNetwork];
    const events = isWhole ? [...ofWhole, () => platform.kill('escrow-adapter')] : [() => platform.kill('all'), restartNetwork];
    for (const [nth, happen] of events.entries()) {
      await eventually(() => expect(ended()).toBeGreaterThan(nth), { timeoutMs: dayTimeoutMs });
      for (const { address } of depositors) await stranger.pay(address);
      deposits += 1;
      await happen();
    }
  }
});

const openWork = [
  'select saga, aggregate_id from orders.saga_runs where closed_at is null',
  'select saga, aggregate_id from payments.saga_runs where closed_at is null',
  'select id, kind, attempts from escrow_adapter.intents where closed_at is null',
];
