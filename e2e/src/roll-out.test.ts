import type { EventRecord } from '@holdfast/contracts/http';
import { eventually } from '@holdfast/testing/eventually';
import { testDatabase, type TestDatabase } from '@holdfast/testing/postgres';
import { lockDefaultNamespace, type DefaultNamespace } from '@holdfast/testing/rabbitmq';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { startReader, type Reader } from './events/reader.js';
import { textOf } from './faults/order-life.js';
import { startLoad, type Load } from './roll-out/load.js';
import { patientClient, type PatientClient } from './roll-out/patient-client.js';
import { partNames, startReplicatedPlatform, type ReplicatedPlatform } from './roll-out/platform.js';
import { killLeftPrograms, runProgram } from './testing/program.js';

jest.setTimeout(400_000);

const settled = { timeoutMs: 60_000 };

let database: TestDatabase;
let names: DefaultNamespace;
let platform: ReplicatedPlatform | undefined;
let client: PatientClient;
let reader: Reader | undefined;
let load: Load | undefined;

beforeAll(async () => {
  database = await testDatabase();
  names = await lockDefaultNamespace();
  platform = await startReplicatedPlatform({ database, amqpUrl: names.url });
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

async function statusOf(path: string): Promise<string> {
  return textOf((await client.send({ method: 'GET', path })).data, 'status');
}

describe('a roll-out of every part, one replica after the other, under load', () => {
  it('loses nothing: every call is served or postponed, orders end, books are sound, and no event is missing', async () => {
    if (platform === undefined) throw new Error('the platform was not started');
    const { baseUrl, masterKey, roll } = platform;
    load = startLoad(client);
    const { orders, topups } = load;
    await eventually(() => expect(Math.min(orders.length, topups.length)).toBeGreaterThan(0), settled);
    for (const part of partNames) {
      expect(await roll(part)).not.toMatch(/cut off|did not stop/);
    }
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
