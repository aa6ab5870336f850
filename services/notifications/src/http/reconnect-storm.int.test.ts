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
  for (const reader of readers) reader.leave();
  await service.stopAll();
});

async function publish(count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const events = marketplaces.map((marketplaceId) => anEvent({ marketplaceId }));
    await service.broker.publish(events);
    marketplaces.forEach((marketplaceId, of) => published[marketplaceId].push(events[of]?.id ?? ''));
  }
}

async function everybodyHas(count: number): Promise<void> {
  await eventually(() => {
    const least = Math.min(...readers.map(({ events }) => events.length));
    if (least < count) throw new Error(`somebody has ${least.toString()} of ${count.toString()} events`);
  }, arrival);
}

/** Somebody else asks again and again until the work is done. */
async function respondsDuring(work: Promise<unknown>): Promise<void> {
  const isDone = work.then(() => true);
  do {
    expect((await service.get('/audit/logs')).status).toBe(200);
  } while (!(await Promise.race([isDone, pause(50, false)])));
}

describe('2,000 readers', () => {
  it(
    'that come back at once miss nothing, get nothing foreign, and keep nobody else from being answered',
    async () => {
      const { url, database } = service;
      readers = Array.from({ length: readersCount }, (_, index) =>
        bareReader({ url, secret: database.internalSecret, marketplaceId: marketplaces[index % 2] ?? 'mkt_one' }),
      );
      for (let first = 0; first < readersCount; first += connectedAtOnce)
        await Promise.all(readers.slice(first, first + connectedAtOnce).map((reader) => reader.connect()));
      await publish(10);
      await everybodyHas(10);

      for (const reader of readers) reader.leave();
      await publish(10);
      const returning = Promise.all(readers.map((reader, index) => comeBack(reader, index)));
      const storm = Promise.all([returning, publish(10)]).then(() => everybodyHas(30));
      await respondsDuring(storm);

      for (const { events, marketplaceId } of readers) {
        expect(events.map(({ eventId }) => eventId)).toEqual(published[marketplaceId as Marketplace]);
      }
    },
    stormTimeoutMs,
  );
});

const fromCache = 4;

/** Most go on where they were, which memory has; the others lost everything and ask for the whole history. */
function comeBack(reader: BareReader, index: number): Promise<void> {
  if (index % fromCache !== 0) return reader.connect();
  reader.events.length = 0;
  return reader.connect('2020-01-01T00:00:00.000000Z');
}
