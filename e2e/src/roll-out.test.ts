import type { EventRecord } from '@holdfast/contracts/http';
import { allMessages } from '@holdfast/contracts/messages';
import { serviceNames } from '@holdfast/contracts/services';
import { connectRabbitmq, topologyOf } from '@holdfast/messaging/broker';
import { eventually } from '@holdfast/testing/eventually';
import { isFullMatrix } from '@holdfast/testing/fault-matrix';
import { silentLog } from '@holdfast/testing/log';
import { testDatabase, type TestDatabase } from '@holdfast/testing/postgres';
import { lockDefaultNamespace, type DefaultNamespace } from '@holdfast/testing/rabbitmq';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { startReader, type Reader } from './events/reader.js';
import { anInit, aPerson, callInit, expectFundedOnce } from './faults/account-life.js';
import { expectPaidOnce, expectReconciled } from './faults/agreement.js';
import { anOrder, aUser, bringTo, call, driveToEnd, textOf, type Ending, type Order, type Step } from './faults/order-life.js';
import { sandboxControl } from './faults/sandbox-control.js';
import { startLoad, type Load } from './roll-out/load.js';
import { patientClient, type PatientClient } from './roll-out/patient-client.js';
import { apiOf, type Api } from './testing/api.js';
import { clientOf } from './testing/client.js';
import { checkMetrics, missingMetrics } from './testing/exported-metrics.js';
import { aReservation } from './testing/messages.js';
import { statusOf as statusOfUrl } from './testing/platform-process.js';
import { killLeftPrograms, runProgram } from './testing/program.js';
import {
  processNames,
  startReplicatedPlatform,
  type ProcessName,
  type ReplicatedPlatform,
} from './testing/replicated-platform.js';

jest.setTimeout(isFullMatrix ? 900_000 : 400_000);

const settled = { timeoutMs: 60_000 };

/** The services with two replicas: all of them in the full matrix, else those on the way of an order. */
const replicated: readonly ProcessName[] = isFullMatrix
  ? processNames
  : ['gateway', 'orders', 'ledger-balance', 'escrow-adapter'];
/** Every replica in the full matrix, else one of a service that is called and one of a service that signs. */
const rolled: readonly ProcessName[] = isFullMatrix
  ? processNames.flatMap((name) => [name, name])
  : ['gateway', 'escrow-adapter'];
/** Those that die during an order. `orders` and `ledger-balance` die in tests of their own. */
const killed: readonly ProcessName[] = isFullMatrix ? processNames : ['gateway'];

/** Every way in which an order ends; elsewhere each is played on one process. */
const endings: readonly Ending[] = isFullMatrix
  ? ['release', 'refund', 'full-release', 'full-refund', 'split', 'cancel']
  : ['split'];

let database: TestDatabase;
let names: DefaultNamespace;
let platform: ReplicatedPlatform | undefined;
let api: Api;
let client: PatientClient;
let reader: Reader | undefined;
let load: Load | undefined;

beforeAll(async () => {
  database = await testDatabase();
  names = await lockDefaultNamespace();
  // Longer than a busy machine needs for a saga whose process is replaced, and shorter than the client waits.
  const settings = { SETTLEMENT_TIMEOUT_MS: '50000' };
  platform = await startReplicatedPlatform({ database, amqpUrl: names.url, settings, isAutomatic: true, replicated });
  api = apiOf(platform.baseUrl, platform.masterKey);
  client = patientClient(platform.baseUrl, platform.masterKey);
  reader = await startReader(platform.baseUrl, platform.masterKey);
}, serverStartTimeoutMs);

afterAll(async () => {
  load?.stop().catch(() => undefined);
  reader?.stop();
  platform?.close();
  await killLeftPrograms(); // fails if a message was parked
  await names.release();
  await database.drop();
});

function running(): ReplicatedPlatform {
  if (platform === undefined) throw new Error('the platform was not started');
  return platform;
}

async function statusOf(path: string): Promise<string> {
  return textOf((await client.send({ method: 'GET', path })).data, 'status');
}

/** Whichever replica is left is killed by the tests below. */
describe('a roll-out of services with two replicas, one replica after the other, under load', () => {
  it('loses nothing: every call is served or postponed, orders end, books are sound, and no event is missing', async () => {
    const { baseUrl, masterKey, roll } = running();
    load = startLoad(client);
    const { orders, topups } = load;
    await eventually(() => expect(Math.min(orders.length, topups.length)).toBeGreaterThan(0), settled);
    for (const name of rolled) expect(await roll(name)).not.toMatch(/cut off|did not stop/);
    await load.stop();

    expect(client.failures).toEqual([]);
    for (const id of orders) expect([id, await statusOf(`/orders/${id}`)]).toEqual([id, 'CLOSED']);
    for (const id of topups)
      await eventually(async () => expect([id, await statusOf(`/topups/${id}`)]).toEqual([id, 'TOPUP_SUCCEEDED']), settled);
    await expectNoEventMissing(baseUrl, masterKey, orders);
    const books = await runProgram('verifyLedger', {
      DATABASE_URL: database.adminUrl,
      INTERNAL_SECRET: database.internalSecret,
    });
    expect(books).toMatchObject({ code: 0, output: expect.stringContaining('Sound') });
  });
});

describe('two replicas of a service', () => {
  const orders: Order[] = [];

  it('are alive and ready, export their metrics, and refuse requests that bypass the gateway', async () => {
    for (const { url, metricsUrl } of running().replicas('ledger-balance')) {
      const routes = [`${metricsUrl}/livez`, `${metricsUrl}/readyz`, `${url}/metrics`, `${url}/api/v1/users/usr_1/balance`];
      expect(await Promise.all(routes.map(statusOfUrl))).toEqual([200, 200, 404, 401]);
      const metrics = await (await fetch(`${metricsUrl}/metrics`)).text();
      expect(missingMetrics(metrics, ['ledger-balance'])).toEqual([]);
      expect(await checkMetrics(metrics)).toBe('');
    }
  });

  it.each(endings)('serve an order until its end: %s', async (ending) => {
    const order = await anOrder(api, ending === 'release' ? [{ ref: 'm1', title: 'All of it', amount: '100.00' }] : []);
    orders.push(order);
    await bringTo(api, order, ending);
    const { code } = await call(api, order, ending);
    expect([code, await statusOf(`/orders/${order.id}`)]).toEqual([undefined, 'CLOSED']);
    await expectPaidOnce(api, order, ending);
  });

  it.each(killed)('lose one of %s during an order, which ends as it would have', async (name) => {
    const { step, ending } = interrupted[name];
    const order = await anOrder(api);
    orders.push(order);
    await bringTo(api, order, step);
    const called = call(api, order, step).catch(() => undefined); // it may have been with the one that died
    running().kill(name);
    await called;
    await driveToEnd(api, order, ending);
    await eventually(() => expectPaidOnce(api, order, ending), settled);
    await running().whenReady(name);
  });

  it('lose one of ledger-balance under load: what was confirmed exists once, and the other one handles what is left', async () => {
    const { baseUrl, masterKey, kill, whenReady } = running();
    const userId = await aUser(api, 'credited');
    await api.post(`/users/${userId}/balance/credit`, { amount: '100.00' });
    const broker = await connectRabbitmq({ url: names.url, topology: topologyOf(allMessages, serviceNames), log: silentLog });
    const reservations = Array.from({ length: 100 }, () => aReservation(userId, '1.00'));
    const credited = new Set<number>();
    const careful = clientOf(baseUrl, masterKey);
    const credits = Array.from({ length: 300 }, async (_, nth) => {
      await eventually(async () => expect((await careful.credit(userId, '1.00', `credit-${nth.toString()}`)).status).toBe(200));
      credited.add(nth);
    });
    // Each of them twice: a message that is delivered again has no further effect.
    const published = Promise.all([broker.publish(reservations), broker.publish(reservations)]);

    await eventually(() => expect(credited.size).toBeGreaterThan(10));
    kill('ledger-balance');
    await Promise.all([published, ...credits]);
    await broker.close();

    const left = { available: '300.00', reserved: '100.00' };
    await eventually(async () => expect((await careful.balance(userId)).data).toMatchObject(left));
    const transfers = `select from ledger_balance.transfers where reference like 'credit-%'`;
    expect(await database.asAdmin(transfers)).toHaveLength(credits.length);
    await whenReady('ledger-balance');
  });

  it('lose one of orders while a person pays into escrow, and the escrow is funded once', async () => {
    const { baseUrl, kill, whenReady } = running();
    const apis = { api, accountUrl: new URL(baseUrl).origin, database };
    const init = await anInit(apis, await aPerson(apis));
    const called = callInit(apis, init).catch(() => undefined);
    kill('orders');
    await called;
    orders.push(...(await expectFundedOnce(apis, init)));
    await whenReady('orders');
  });

  it('leave books and ledger network in agreement to the last unit', async () => {
    await expectReconciled({ api, database, sandbox: sandboxControl(running().sandboxUrl) }, orders);
  });
});

/** The call during which a service dies is one in which it has something to do. */
const interrupted: Readonly<Record<ProcessName, { readonly step: Step; readonly ending: Ending }>> = {
  gateway: { step: 'fund', ending: 'refund' },
  identity: { step: 'reserve', ending: 'cancel' },
  'ledger-balance': { step: 'fund', ending: 'release' },
  orders: { step: 'split', ending: 'split' },
  'escrow-adapter': { step: 'escrow', ending: 'release' },
  payments: { step: 'reserve', ending: 'cancel' },
  notifications: { step: 'release', ending: 'release' },
};

/** The reader followed through every disconnection; another one that reads the same part of the log again has the same events. */
async function expectNoEventMissing(baseUrl: string, key: string, orders: readonly string[]): Promise<void> {
  const received = (): readonly EventRecord[] => reader?.events() ?? [];
  const closed = (): readonly unknown[] =>
    received().flatMap(({ eventType, aggregateId }) => (eventType === 'order.closed' ? [aggregateId] : []));
  await eventually(() => expect([...new Set(closed())].sort()).toEqual([...orders].sort()), settled);
  const [first, ...later] = received();
  const again = await startReader(baseUrl, key, first?.occurredAt);
  try {
    await eventually(() => expect(idsOf(again.events())).toEqual(idsOf(later)), settled);
  } finally {
    again.stop();
  }
}

/** Delivery is at least once. */
function idsOf(events: readonly EventRecord[]): readonly string[] {
  return [...new Set(events.map(({ eventId }) => eventId))];
}
