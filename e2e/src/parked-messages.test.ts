import { rmSync } from 'node:fs';
import { connectRabbitmq, NonRetryableError, topologyOf } from '@holdfast/messaging/broker';
import { systemClock } from '@holdfast/kernel/context';
import { allMessages } from '@holdfast/contracts/messages';
import { existingServices } from '@holdfast/contracts/services';
import { eventually } from '@holdfast/testing/eventually';
import { silentLog } from '@holdfast/testing/log';
import { testDatabase, type TestDatabase } from '@holdfast/testing/postgres';
import { lockDefaultNamespace, type DefaultNamespace } from '@holdfast/testing/rabbitmq';
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
    const isParked = 'select from broker.deliveries where message_id = $1 and parked_at is not null';
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

describe('a message that is parked on RabbitMQ', () => {
  async function park(names: DefaultNamespace): Promise<string> {
    const topology = topologyOf(allMessages, existingServices);
    const broker = await connectRabbitmq({ url: names.url, topology, log: silentLog, clock: systemClock() });
    await broker.consume('ledger-balance', { prefetch: 1 }, () => Promise.reject(new NonRetryableError('nobody can read it')));
    const message = aReservation('usr_nobody', '1.00');
    await broker.publish([message]);
    await eventually(async () => expect(await broker.listParked('ledger-balance', 1)).toHaveLength(1));
    await broker.close();
    return message.id;
  }

  it('fails the suite that lets go of the names without having taken it, and only that suite', async () => {
    const names = await lockDefaultNamespace();
    const messageId = await park(names);
    const complaint = await names.release().catch(String);
    expect(complaint).toMatch(
      /messages were parked.*ledger-balance: order.reserve_requested .* not retryable: nobody can read it/s,
    );
    expect(complaint).toContain(messageId);
    await (await lockDefaultNamespace()).release();
  });

  it('is expected by a suite that takes it', async () => {
    const names = await lockDefaultNamespace();
    const messageId = await park(names);
    expect(await names.takeParked()).toMatchObject([{ queue: 'ledger-balance', messageId }]);
    await names.release();
  });
});
