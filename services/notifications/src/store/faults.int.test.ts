import { randomBytes, randomInt } from 'node:crypto';
import { connectRabbitmq, topologyOf, type Broker } from '@holdfast/messaging/broker';
import { systemClock } from '@holdfast/kernel/context';
import { allMessages } from '@holdfast/contracts/messages';
import { silentLog } from '@holdfast/testing/log';
import type { TestDatabase } from '@holdfast/testing/postgres';
import { serviceDatabase } from '@holdfast/testing/services';
import { startCuttingProxy, testRabbitmqUrl, type CuttingProxy } from '@holdfast/testing/rabbitmq';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { notifications } from '../service.js';
import { anEvent } from '../testing/messages.js';
import { shortRetryDelaysMs, startOn, type Replica } from '../testing/running-notifications.js';

const marketplaceId = 'mkt_faults';
const faultTimeoutMs = 120_000;
const clock = systemClock();

let database: TestDatabase;
let publisher: Broker;
const nodes: { readonly replica: Replica; readonly broker: Broker; readonly proxy: CuttingProxy }[] = [];

beforeAll(async () => {
  database = await serviceDatabase(notifications);
  const url = await testRabbitmqUrl();
  const shared = {
    topology: topologyOf(allMessages, [notifications.name]),
    log: silentLog,
    clock,
    namespace: `notifications-${randomBytes(4).toString('hex')}`,
    retryDelaysMs: shortRetryDelaysMs,
  };
  publisher = await connectRabbitmq({ ...shared, url });
  for (let count = 0; count < 2; count += 1) {
    const proxy = await startCuttingProxy(url);
    const broker = await connectRabbitmq({ ...shared, url: proxy.url });
    nodes.push({ proxy, broker, replica: await startOn(database, broker, {}) });
  }
}, serverStartTimeoutMs);

afterAll(async () => {
  await Promise.all(nodes.map(({ replica }) => replica.stop()));
  await Promise.all([...nodes.map(({ broker }) => broker.close()), publisher.close()]);
  await Promise.all(nodes.map(({ proxy }) => proxy.close()));
  await database.drop();
});

/** Ends every database session of the service, as a restart of Postgres does. */
async function endSessions(): Promise<void> {
  await database.asAdmin(
    `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'holdfast_notifications_app' and datname = current_database()`,
  );
}

describe('with broken RabbitMQ and Postgres connections', () => {
  it(
    'every event is logged once and streamed to its marketplace only',
    async () => {
      const readers = nodes.flatMap(({ replica }, node) =>
        Array.from({ length: 3 }, (_, index) =>
          replica.follow({
            caller: { marketplaceId, id: `key_${String(node)}${String(index)}` },
            lastEventId: '2020-01-01T00:00:00Z',
            retryMs: 50,
          }),
        ),
      );
      const published = Array.from({ length: 200 }, () => anEvent({ marketplaceId }));
      for (const [index, event] of published.entries()) {
        await publisher.publish([event, anEvent({ marketplaceId: 'mkt_foreign' })]);
        const node = nodes[randomInt(2)];
        if (index % 25 === 0) node?.proxy.cut();
        if (index % 25 === 5) for (const { proxy } of nodes) proxy.mend();
        if (index % 25 === 10)
          publisher.broadcast({ topic: 'credentials', key: `key_${String(randomInt(2))}${String(randomInt(3))}` });
        if (index % 50 === 15) await endSessions();
      }
      for (const { proxy } of nodes) proxy.mend();
      const ids = published.map(({ id }) => id).sort();
      for (const reader of readers) {
        await reader.has(published.length);
        expect([...new Set(reader.events().map(({ eventId }) => eventId))].sort()).toEqual(ids);
        expect(reader.events().every(({ metadata }) => metadata.marketplaceId === marketplaceId)).toBe(true);
      }
      const [row] = await database.asAdmin<{ readonly count: string; readonly different: string }>(
        `select count(*) as count, count(distinct event_id) as different from notifications.events where marketplace_id = '${marketplaceId}'`,
      );
      expect(row).toEqual({ count: '200', different: '200' });
    },
    faultTimeoutMs,
  );
});
