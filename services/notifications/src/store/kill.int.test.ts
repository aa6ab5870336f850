import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connectRabbitmq, topologyOf, type Broker } from '@holdfast/messaging/broker';
import { allMessages } from '@holdfast/contracts/messages';
import { builtFile } from '@holdfast/testing/built-file';
import { eventually } from '@holdfast/testing/eventually';
import { silentLog } from '@holdfast/testing/log';
import type { TestDatabase } from '@holdfast/testing/postgres';
import { serviceDatabase } from '@holdfast/testing/services';
import { testRabbitmqUrl } from '@holdfast/testing/rabbitmq';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { notifications } from '../service.js';
import { anEvent } from '../testing/messages.js';
import { startOn, type Replica } from '../testing/running-notifications.js';

const program = builtFile(new URL('../testing/replica-process.ts', import.meta.url));
const marketplaceId = 'mkt_killed';

let database: TestDatabase;
let broker: Broker;
let survivor: Replica;
let victim: ChildProcess;

beforeAll(async () => {
  database = await serviceDatabase(notifications);
  const amqpUrl = await testRabbitmqUrl();
  const namespace = `kill-appender-${randomBytes(4).toString('hex')}`;
  const topology = topologyOf(allMessages, ['notifications']);
  broker = await connectRabbitmq({ url: amqpUrl, namespace, topology, log: silentLog });
  const { adminUrl, internalSecret } = database;
  const options = JSON.stringify({ adminUrl, internalSecret, amqpUrl, namespace });
  victim = spawn(process.execPath, [program, options], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (victim.stdout !== null) await once(victim.stdout, 'data');
  survivor = await startOn(database, broker, {});
}, serverStartTimeoutMs);

afterAll(async () => {
  victim.kill('SIGKILL');
  await survivor.stop();
  await broker.close();
  await database.drop();
});

describe('an appending process that is killed with SIGKILL', () => {
  it('is replaced by another one, and every event is logged once', async () => {
    const reader = survivor.follow({ caller: { marketplaceId } });
    await reader.opened;
    const published = Array.from({ length: 120 }, () => anEvent({ marketplaceId }));
    for (const event of published.slice(0, 60)) await broker.publish([event]);
    await reader.has(10);
    victim.kill('SIGKILL');
    for (const event of published.slice(60)) await broker.publish([event]);
    const events = await reader.has(published.length);
    expect(events.map(({ eventId }) => eventId).sort()).toEqual(published.map(({ id }) => id).sort());
    await eventually(() => expect(survivor.log.lines.map(({ fact }) => fact)).toContain('became event appender'));
  });
});
