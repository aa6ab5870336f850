import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '@holdfast/testing/eventually';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { bareReader, type BareReader } from '../testing/bare-reader.js';
import { anEvent } from '../testing/messages.js';
import { startNotifications, type RunningNotifications } from '../testing/running-notifications.js';

const readersCount = 2_000;
const connectedAtOnce = 200;
const stormTimeoutMs = 180_000;
const arrival = { timeoutMs: 60_000 };
const marketplaces = ['mkt_one', 'mkt_other'] as const;
type Marketplace = (typeof marketplaces)[number];

let service: RunningNotifications;
let readers: readonly BareReader[] = [];
const published: Record<Marketplace, string[]> = { mkt_one: [], mkt_other: [] };

beforeAll(async () => void (service = await startNotifications()), serverStartTimeoutMs);
afterAll(async () => {
  for (const reader of readers) reader.disconnect();
  await service.stopAll();
});

async function publish(count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const events = marketplaces.map((marketplaceId) => anEvent({ marketplaceId }));
    await service.broker.publish(events);
    marketplaces.forEach((marketplaceId, of) => published[marketplaceId].push(events[of]?.id ?? ''));
  }
}

async function allHave(count: number): Promise<void> {
  await eventually(() => {
    const least = Math.min(...readers.map(({ events }) => events.length));
    if (least < count) throw new Error(`a reader has ${least.toString()} of ${count.toString()} events`);
  }, arrival);
}

/** Another client sends requests until the work is done. */
async function respondsDuring(work: Promise<unknown>): Promise<void> {
  const isDone = work.then(() => true);
  do {
    expect((await service.get('/audit/logs')).status).toBe(200);
  } while (!(await Promise.race([isDone, pause(50, false)])));
}

describe('2,000 readers', () => {
  it(
    'reconnect at once, receive every event of their marketplace only, and do not block other requests',
    async () => {
      const { url, database } = service;
      readers = Array.from({ length: readersCount }, (_, index) =>
        bareReader({ url, secret: database.internalSecret, marketplaceId: marketplaces[index % 2] ?? 'mkt_one' }),
      );
      for (let first = 0; first < readersCount; first += connectedAtOnce)
        await Promise.all(readers.slice(first, first + connectedAtOnce).map((reader) => reader.connect()));
      await publish(10);
      await allHave(10);

      for (const reader of readers) reader.disconnect();
      await publish(10);
      const reconnecting = Promise.all(readers.map((reader, index) => reconnect(reader, index)));
      const storm = Promise.all([reconnecting, publish(10)]).then(() => allHave(30));
      await respondsDuring(storm);

      for (const { events, marketplaceId } of readers) {
        expect(events.map(({ eventId }) => eventId)).toEqual(published[marketplaceId as Marketplace]);
      }
    },
    stormTimeoutMs,
  );
});

const fullReplayEvery = 4;

/** Most readers resume with events from the cache; every fourth one replays the whole history. */
function reconnect(reader: BareReader, index: number): Promise<void> {
  if (index % fullReplayEvery !== 0) return reader.connect();
  reader.events.length = 0;
  return reader.connect('2020-01-01T00:00:00.000000Z');
}
