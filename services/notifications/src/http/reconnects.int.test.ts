import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '@holdfast/testing/eventually';
import { isFullMatrix } from '@holdfast/testing/fault-matrix';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { bareReader, type BareReader } from '../testing/bare-reader.js';
import { anEvent } from '../testing/messages.js';
import { startNotifications, type RunningNotifications } from '../testing/running-notifications.js';

let service: RunningNotifications;

beforeAll(async () => void (service = await startNotifications()), serverStartTimeoutMs);
afterAll(() => service.stopAll());

function idsOf(events: readonly { readonly eventId: string }[]): string {
  return events.map(({ eventId }) => eventId).join(' ');
}

describe('readers that are disconnected repeatedly', () => {
  it('receive every event of their marketplace only, in order', async () => {
    const mine = 'mkt_mine';
    const readers = Array.from({ length: 5 }, (_, index) =>
      service.follow({ caller: { marketplaceId: mine, id: `key_${String(index)}` }, lastEventId: '2020-01-01T00:00:00Z' }),
    );
    const published = Array.from({ length: 100 }, () => anEvent({ marketplaceId: mine }));
    for (const event of published) {
      await service.broker.publish([event, anEvent({ marketplaceId: 'mkt_foreign' })]);
      if (randomInt(5) === 0) service.broker.broadcast({ topic: 'credentials', key: `key_${String(randomInt(5))}` });
    }
    for (const reader of readers) {
      await reader.has(published.length);
      const seen = [...new Set(reader.events().map(({ eventId }) => eventId))];
      expect(seen).toEqual(published.map(({ id }) => id));
    }
    expect(readers.some((reader) => reader.connections() > 1)).toBe(true);
  });

  it('are all served when many of them reconnect at once, with different cursors', async () => {
    const marketplaceId = 'mkt_storm';
    const first = service.follow({ caller: { marketplaceId, id: 'key_first' } });
    await first.opened;
    await service.broker.publish(Array.from({ length: 700 }, () => anEvent({ marketplaceId })));
    const events = await first.has(700);
    const cursors = ['2020-01-01T00:00:00Z', events[99]?.occurredAt ?? '', events[690]?.occurredAt ?? ''];
    const counts = [700, 600, 9];
    const readers = Array.from({ length: 12 }, (_, index) => ({
      reader: service.follow({ caller: { marketplaceId, id: 'key_storm' }, lastEventId: cursors[index % 3] ?? '' }),
      count: counts[index % 3] ?? 0,
    }));
    for (const { reader, count } of readers) expect(idsOf(await reader.has(count))).toBe(idsOf(events.slice(700 - count)));
    const last = anEvent({ marketplaceId });
    await service.broker.publish([last]);
    for (const { reader, count } of readers) expect((await reader.has(count + 1)).at(-1)?.eventId).toBe(last.id);
  });
});

/** `npm run faults` has as many as a busy process. */
const readersCount = isFullMatrix ? 2_000 : 100;
const connectedAtOnce = 200;
const stormTimeoutMs = 180_000;
const marketplaces = ['mkt_one', 'mkt_other'] as const;
type Marketplace = (typeof marketplaces)[number];

describe(`${String(readersCount)} readers`, () => {
  let readers: readonly BareReader[] = [];
  const published: Record<Marketplace, string[]> = { mkt_one: [], mkt_other: [] };

  afterAll(() => {
    for (const reader of readers) reader.disconnect();
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
    });
  }

  /** Another client sends requests until the work is done. */
  async function respondsDuring(work: Promise<unknown>): Promise<void> {
    const isDone = work.then(() => true);
    do {
      expect((await service.get('/audit/logs')).status).toBe(200);
    } while (!(await Promise.race([isDone, pause(50, false)])));
  }

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
