import { randomInt } from 'node:crypto';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
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
    const readers = Array.from({ length: 10 }, (_, index) =>
      service.follow({ caller: { marketplaceId: mine, id: `key_${String(index)}` }, lastEventId: '2020-01-01T00:00:00Z' }),
    );
    const published = Array.from({ length: 300 }, () => anEvent({ marketplaceId: mine }));
    for (const event of published) {
      await service.broker.publish([event, anEvent({ marketplaceId: 'mkt_foreign' })]);
      if (randomInt(5) === 0) service.broker.broadcast({ topic: 'credentials', key: `key_${String(randomInt(10))}` });
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
    const readers = Array.from({ length: 60 }, (_, index) => ({
      reader: service.follow({ caller: { marketplaceId, id: 'key_storm' }, lastEventId: cursors[index % 3] ?? '' }),
      count: counts[index % 3] ?? 0,
    }));
    for (const { reader, count } of readers) expect(idsOf(await reader.has(count))).toBe(idsOf(events.slice(700 - count)));
    const last = anEvent({ marketplaceId });
    await service.broker.publish([last]);
    for (const { reader, count } of readers) expect((await reader.has(count + 1)).at(-1)?.eventId).toBe(last.id);
  });
});
