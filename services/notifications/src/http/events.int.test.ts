import { apiKeyRevoked, credentialsTopic } from '@holdfast/contracts/messages';
import { StreamRefused } from '@holdfast/http/event-stream';
import { eventually } from '@holdfast/testing/eventually';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { aCredit, aMessage, anEvent } from '../testing/messages.js';
import { startNotifications, type RunningNotifications } from '../testing/running-notifications.js';

let service: RunningNotifications;

beforeAll(async () => void (service = await startNotifications()), serverStartTimeoutMs);
afterAll(() => service.stopAll());

let marketplaces = 0;
const aMarketplace = () => `mkt_${String((marketplaces += 1))}` as const;

/** Publishes events of a marketplace and resolves with the events that a new reader received. */
async function logged(marketplaceId: `mkt_${string}`, count: number) {
  const reader = service.follow({ caller: { marketplaceId } });
  await reader.opened;
  await service.broker.publish(Array.from({ length: count }, () => anEvent({ marketplaceId })));
  const events = await reader.has(count);
  reader.stop();
  return events;
}

describe('GET /events', () => {
  it('200 streams an event when it is published, with its timestamp as id', async () => {
    const marketplaceId = aMarketplace();
    const reader = service.follow({ caller: { marketplaceId } });
    await reader.opened;
    const published = anEvent({ marketplaceId, causationId: 'evt_1' });
    await service.broker.publish([published]);
    const [event] = await reader.has(1);
    expect(event).toEqual({
      eventId: published.id,
      eventType: 'order.closed',
      occurredAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
      aggregateId: published.aggregateId,
      aggregateType: 'Order',
      payload: published.payload,
      metadata: {
        correlationId: published.correlationId,
        causationId: 'evt_1',
        marketplaceId,
        producedAt: published.occurredAt,
        aggregateVersion: 1,
      },
    });
    expect(reader.messages[0]).toMatchObject({ id: event?.occurredAt, event: 'order.closed' });
  });

  it('200 counts the events of an aggregate over all its parts, the same in a replay', async () => {
    const marketplaceId = aMarketplace();
    const reader = service.follow({ caller: { marketplaceId } });
    await reader.opened;
    const credits = ['USD', 'EUR', 'USDC'].map((aggregatePart) => aCredit('usr_counted', 1, { marketplaceId, aggregatePart }));
    await service.broker.publish(credits);
    await reader.has(3);
    await service.broker.publish([aCredit('usr_counted', 2, { marketplaceId, aggregatePart: 'EUR' })]);
    const events = await reader.has(4);
    expect(events.map(({ metadata }) => metadata.aggregateVersion)).toEqual([1, 2, 3, 4]);
    const replayed = service.follow({ query: '?since=2020-01-01', caller: { marketplaceId } });
    expect(await replayed.has(4)).toEqual(events);
  });

  it('200 streams only events of the marketplace of the caller', async () => {
    const [mine, theirs] = [aMarketplace(), aMarketplace()];
    const reader = service.follow({ caller: { marketplaceId: mine } });
    await reader.opened;
    await service.broker.publish([anEvent({ marketplaceId: theirs }), anEvent({ marketplaceId: mine })]);
    await reader.has(1);
    await logged(theirs, 3);
    expect(reader.events().map(({ metadata }) => metadata.marketplaceId)).toEqual([mine]);
  });

  it('200 applies the filters to live and to replayed events', async () => {
    const marketplaceId = aMarketplace();
    const [first] = await logged(marketplaceId, 1);
    const credits = service.follow({ query: '?types=balance.credited&types=order.created', caller: { marketplaceId } });
    const orders = service.follow({
      query: `?resources=Order&since=${first?.occurredAt ?? ''}`,
      caller: { marketplaceId },
    });
    await Promise.all([credits.opened, orders.opened]);
    await service.broker.publish([
      anEvent({ marketplaceId }),
      aCredit('usr_filtered', 1, { marketplaceId }),
      anEvent({ marketplaceId }),
    ]);
    expect((await credits.has(1)).map(({ eventType }) => eventType)).toEqual(['balance.credited']);
    expect((await orders.has(2)).map(({ eventType }) => eventType)).toEqual(['order.closed', 'order.closed']);
  });

  it('200 resumes after Last-Event-ID, which takes precedence over since', async () => {
    const marketplaceId = aMarketplace();
    const events = await logged(marketplaceId, 5);
    const reader = service.follow({
      lastEventId: events[2]?.occurredAt ?? '',
      query: '?since=2020-01-01T00:00:00Z',
      caller: { marketplaceId },
    });
    expect(await reader.has(2)).toEqual(events.slice(3));
  });

  it('200 replays all events after a timestamp with milliseconds or with a UTC offset', async () => {
    const marketplaceId = aMarketplace();
    const events = await logged(marketplaceId, 3);
    const [first] = events;
    const truncated = `${first?.occurredAt.slice(0, 23) ?? ''}Z`;
    const reader = service.follow({ lastEventId: truncated, caller: { marketplaceId } });
    expect(await reader.has(3)).toEqual(events);
    const before = service.follow({ query: '?since=2020-01-01T02:00:00%2B02:00', caller: { marketplaceId } });
    expect(await before.has(3)).toEqual(events);
  });

  it('200 accepts a cursor of another marketplace or from the future as a timestamp', async () => {
    const [mine, theirs] = [aMarketplace(), aMarketplace()];
    const before = await logged(theirs, 1);
    const events = await logged(mine, 2);
    const foreign = service.follow({ lastEventId: before[0]?.occurredAt ?? '', caller: { marketplaceId: mine } });
    expect(await foreign.has(2)).toEqual(events);
    const future = service.follow({ lastEventId: '2999-01-01T00:00:00.000000Z', caller: { marketplaceId: mine } });
    await future.opened;
    await logged(mine, 1);
    expect(await future.has(1)).toHaveLength(1);
  });

  it('200 replays more than a page while new events arrive, each once and in order', async () => {
    const marketplaceId = aMarketplace();
    const first = await logged(marketplaceId, 1_200);
    const reader = service.follow({ lastEventId: '2020-01-01T00:00:00Z', caller: { marketplaceId } });
    await service.broker.publish(Array.from({ length: 50 }, () => anEvent({ marketplaceId })));
    const events = await reader.has(1_250);
    expect(events.slice(0, 1_200)).toEqual(first);
    const moments = events.map(({ occurredAt }) => occurredAt);
    expect(moments).toEqual([...new Set(moments)].sort());
    expect(new Set(events.map(({ eventId }) => eventId)).size).toBe(1_250);
  });

  it('200 gives two events of the same microsecond different timestamps', async () => {
    const marketplaceId = aMarketplace();
    const reader = service.follow({ caller: { marketplaceId } });
    await reader.opened;
    const occurredAt = '2026-01-31T12:00:00.000001Z';
    await service.broker.publish([anEvent({ marketplaceId, occurredAt }), anEvent({ marketplaceId, occurredAt })]);
    const moments = (await reader.has(2)).map((event) => event.occurredAt);
    expect(moments).toEqual([occurredAt, '2026-01-31T12:00:00.000002Z']);
  });

  it('200 streams a late event with a timestamp after the last one, so that no cursor skips it', async () => {
    const marketplaceId = aMarketplace();
    const [shown] = await logged(marketplaceId, 1);
    const late = anEvent({ marketplaceId, occurredAt: '2025-01-01T00:00:00.000000Z' });
    await service.broker.publish([late]);
    const reader = service.follow({ lastEventId: shown?.occurredAt ?? '', caller: { marketplaceId } });
    const [event] = await reader.has(1);
    expect(event).toMatchObject({ eventId: late.id, metadata: { producedAt: late.occurredAt } });
    expect((event?.occurredAt ?? '') > (shown?.occurredAt ?? '')).toBe(true);
  });

  it.each([
    '?types=topup.succeeded&types=withdrawal.completed&types=user.payment_account_linked',
    '?resources=TopUp&resources=Withdrawal',
  ])('200 for %s, although payments is not running', async (query) => {
    const reader = service.follow({ query });
    await reader.opened;
    expect(reader.refused()).toBeUndefined();
  });

  it.each(['?types=order.*', '?types=*', '?types=order.unknown', '?resources=Audit', '?since=yesterday', '?unknown=1'])(
    '400 VALIDATION_ERROR for %s',
    async (query) => {
      const { status, code } = await service.get(`/events${query}`);
      expect({ status, code }).toEqual({ status: 400, code: 'VALIDATION_ERROR' });
    },
  );

  it('400 VALIDATION_ERROR for a Last-Event-ID that is not a timestamp', async () => {
    const reader = service.follow({ lastEventId: 'yesterday' });
    await reader.opened;
    expect(reader.refused()).toMatchObject({ status: 400 });
    expect(reader.refused()).toBeInstanceOf(StreamRefused);
  });
});

describe('an open stream', () => {
  it('ends at once on the notification that its key changed', async () => {
    const caller = { id: 'key_notified' };
    const [reader, other] = [service.follow({ caller }), service.follow({ caller: { id: 'key_other' } })];
    await Promise.all([reader.opened, other.opened]);
    service.broker.broadcast({ topic: credentialsTopic, key: 'key_notified' });
    await eventually(() => expect(reader.connections()).toBeGreaterThan(1));
    expect(other.connections()).toBe(1);
  });

  it('ends on the revocation of its key, also when the notification is lost', async () => {
    const reader = service.follow({ caller: { id: 'key_lost' } });
    await reader.opened;
    await service.broker.publish([aMessage(apiKeyRevoked, { apiKeyId: 'key_lost' }, { aggregateId: 'key_lost' })]);
    await eventually(() => expect(reader.connections()).toBeGreaterThan(1));
  });

  it('ends when its credential expires', async () => {
    const expiresAt = new Date(performance.timeOrigin + performance.now() + 300).toISOString() as `${string}Z`;
    const reader = service.follow({ caller: { id: 'key_ending', expiresAt } });
    await reader.opened;
    await eventually(() => expect(reader.connections()).toBeGreaterThan(1));
  });
});
