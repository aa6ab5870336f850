import { rmSync } from 'node:fs';
import { connectRabbitmq, NonRetryableError, topologyOf } from '@holdfast/messaging/broker';
import { messagingMigrations } from '@holdfast/messaging/outbox';
import { parkedMessages } from '@holdfast/messaging/parked';
import { allMessages } from '@holdfast/contracts/messages';
import { serviceNames } from '@holdfast/contracts/services';
import { eventually } from '@holdfast/testing/eventually';
import { silentLog } from '@holdfast/testing/log';
import { testDatabase, type TestDatabase } from '@holdfast/testing/postgres';
import { lockDefaultNamespace } from '@holdfast/testing/rabbitmq';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { newDataDir, startAllInOne, type RunningInstallation } from './testing/installation.js';
import { aReservation } from './testing/messages.js';
import { killLeftPrograms } from './testing/program.js';

jest.setTimeout(120_000);

/** A message that cannot be parsed is parked at once. */
const unreadable = 'this is no envelope';

describe('a message that a platform has parked in its database', () => {
  const dataDir = newDataDir();
  let database: TestDatabase;
  let installation: RunningInstallation;

  beforeAll(async () => {
    database = await testDatabase();
    const settings = { DATABASE_URL: database.adminUrl, INTERNAL_SECRET: database.internalSecret };
    installation = await startAllInOne(dataDir, settings);
    await park('msg_taken');
    expect(installation.takeParked()).toEqual([expect.stringContaining('msg_taken')]);
    expect(await database.takeParked()).toMatchObject([{ queue: 'orders', messageId: 'msg_taken' }]);
    await park('msg_left');
  }, serverStartTimeoutMs);

  afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

  async function park(messageId: string): Promise<void> {
    const insert = `insert into broker.deliveries (queue, message_id, type, body) values ('orders', $1, 'order.closed', $2)`;
    await database.asAdmin(insert, [messageId, unreadable]);
    await eventually(() => expect(installation.output()).toContain(messageId));
    const isParked = 'select from orders.parked_messages where message_id = $1';
    await eventually(async () => expect(await database.asAdmin(isParked, [messageId])).toHaveLength(1));
  }

  it('fails the suite that ends the platform without having taken it', async () => {
    const complaint = await killLeftPrograms().catch(String);
    expect(complaint).toMatch(/messages were parked.*msg_left/s);
    expect(complaint).not.toContain('msg_taken');
    await killLeftPrograms();
  });

  it('fails the suite that drops the database without having taken it', async () => {
    const complaint = await database.drop().catch(String);
    expect(complaint).toMatch(/messages were parked.*orders: order.closed \(msg_left\) after 1 attempts: not retryable/s);
    expect(complaint).not.toContain('msg_taken');
  });
});

describe('a message from RabbitMQ that a service has parked', () => {
  it('fails the suite that drops the database of the service without having taken it', async () => {
    const names = await lockDefaultNamespace();
    const own = await testDatabase();
    const { pool } = await own.open({ service: 'ledger-balance', migrations: [messagingMigrations] });
    const parked = parkedMessages(pool);
    const topology = topologyOf(allMessages, serviceNames);
    const broker = await connectRabbitmq({ url: names.url, topology, log: silentLog });
    const fail = (): Promise<void> => Promise.reject(new NonRetryableError('nobody can read it'));
    await broker.consume('ledger-balance', { prefetch: 1, parked }, fail);
    const [taken, left] = [aReservation('usr_nobody', '1.00'), aReservation('usr_nobody', '2.00')];
    await broker.publish([taken]);
    await eventually(async () => expect(await parked.list(10)).toHaveLength(1));
    expect(await own.takeParked()).toMatchObject([{ queue: 'ledger-balance', messageId: taken.id }]);
    await broker.publish([left]);
    await eventually(async () => expect(await parked.list(10)).toHaveLength(1));
    await broker.close();
    await names.release();
    const complaint = await own.drop().catch(String);
    expect(complaint).toMatch(/ledger-balance: order.reserve_requested .* not retryable: nobody can read it/);
    expect(complaint).toContain(left.id);
    expect(complaint).not.toContain(taken.id);
  });
});
