import { escrowFundingStarted } from '@holdfast/contracts/messages';
import { eventually } from '@holdfast/testing/eventually';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { aCredit, aMessage, anEvent } from '../testing/messages.js';
import { startNotifications, type RunningNotifications } from '../testing/running-notifications.js';

let service: RunningNotifications;

/** Longer than any test, so that an event which is held back comes only after its predecessor. */
const heldBackMs = 60_000;

beforeAll(async () => {
  service = await startNotifications({ EVENTS_HELD_BACK_MS: String(heldBackMs) });
}, serverStartTimeoutMs);
afterAll(() => service.stopAll());

const escrow = { escrowId: 'esc_1', orderId: 'ord_1', amount: '1.00', providerContractId: 'C1' };

describe('the event log', () => {
  it('stores a message once, however often it is delivered', async () => {
    const marketplaceId = 'mkt_once';
    const reader = service.follow({ caller: { marketplaceId } });
    await reader.opened;
    const [published, last] = [anEvent({ marketplaceId }), anEvent({ marketplaceId })];
    await service.broker.publish([published]);
    await reader.has(1);
    await service.broker.publish([published, published]);
    await service.broker.publish([last]);
    expect((await reader.has(2)).map(({ eventId }) => eventId)).toEqual([published.id, last.id]);
  });

  it('holds an event back until the previous version of the same balance has arrived', async () => {
    const marketplaceId = 'mkt_held';
    const reader = service.follow({ caller: { marketplaceId } });
    await reader.opened;
    const [first, second, third] = [1, 2, 3].map((version) => aCredit('usr_held', version, { marketplaceId }));
    const other = anEvent({ marketplaceId });
    for (const published of [third, second, other, first]) if (published !== undefined) await service.broker.publish([published]);
    const ids = (await reader.has(4)).map(({ eventId }) => eventId);
    expect(ids).toEqual([other.id, first?.id, second?.id, third?.id]);
  });

  it('holds an event back until its named predecessor has arrived, whatever its cause', async () => {
    const marketplaceId = 'mkt_caused';
    const reader = service.follow({ caller: { marketplaceId } });
    await reader.opened;
    const origin = aMessage(escrowFundingStarted, escrow, { marketplaceId });
    const effect = aCredit('usr_caused', 1, { marketplaceId, afterEventId: origin.id });
    const successor = anEvent({ marketplaceId, causationId: effect.id, afterEventId: effect.id });
    const other = anEvent({ marketplaceId });
    for (const published of [successor, effect, other]) await service.broker.publish([published]);
    await reader.has(1);
    await service.broker.publish([origin]);
    const shown = await reader.has(4);
    expect(shown.map(({ eventId }) => eventId)).toEqual([other.id, origin.id, effect.id, successor.id]);
    expect(shown.map(({ metadata }) => metadata.causationId)).toEqual([null, null, null, effect.id]);
    expect(JSON.stringify(shown)).not.toContain('afterEventId');
  });

  it('does not wait for the event that is named only as its cause', async () => {
    const marketplaceId = 'mkt_internal';
    const reader = service.follow({ caller: { marketplaceId } });
    await reader.opened;
    const [one, other] = [anEvent({ marketplaceId, causationId: 'evt_cause' }), anEvent({ marketplaceId })];
    await service.broker.publish([one]);
    await service.broker.publish([other]);
    expect((await reader.has(2)).map(({ eventId }) => eventId)).toEqual([one.id, other.id]);
  });

  it('has positions without gaps, in the order of its timestamps', async () => {
    const marketplaceId = 'mkt_positions';
    const reader = service.follow({ caller: { marketplaceId } });
    await reader.opened;
    const late = anEvent({ marketplaceId, occurredAt: '2026-01-01T00:00:00.000000Z' });
    for (const published of [anEvent({ marketplaceId }), late, anEvent({ marketplaceId })])
      await service.broker.publish([published]);
    await reader.has(3);
    const [row] = await service.database.asAdmin<{ readonly count: string; readonly last: string; readonly moved: string }>(`
      select count(*) as count, max(position) as last,
        count(*) filter (where occurred_at <= previous) as moved
      from (
        select position, occurred_at, lag(occurred_at) over (partition by marketplace_id order by position) as previous
        from notifications.events
      ) as event`);
    expect(row?.count).toBe(row?.last);
    expect(row?.moved).toBe('0');
  });
});

describe('an event whose predecessor does not come', () => {
  let impatient: RunningNotifications;

  beforeAll(async () => void (impatient = await startNotifications({ EVENTS_HELD_BACK_MS: '200' })), serverStartTimeoutMs);
  afterAll(() => impatient.stopAll());

  it('is logged after EVENTS_HELD_BACK_MS without the predecessor that it names', async () => {
    const marketplaceId = 'mkt_lost';
    const reader = impatient.follow({ caller: { marketplaceId } });
    await reader.opened;
    const effect = anEvent({ marketplaceId, afterEventId: 'evt_lost' });
    await impatient.broker.publish([effect]);
    expect((await reader.has(1)).map(({ eventId }) => eventId)).toEqual([effect.id]);
  });

  it('is logged after EVENTS_HELD_BACK_MS without the previous version, which then appears late', async () => {
    const marketplaceId = 'mkt_late';
    const reader = impatient.follow({ caller: { marketplaceId } });
    await reader.opened;
    const [first, second] = [aCredit('usr_late', 1, { marketplaceId }), aCredit('usr_late', 2, { marketplaceId })];
    await impatient.broker.publish([second]);
    await reader.has(1);
    await impatient.broker.publish([first]);
    expect((await reader.has(2)).map(({ eventId }) => eventId)).toEqual([second.id, first.id]);
  });
});

describe('several processes', () => {
  it('stream every event to the clients of every process', async () => {
    const marketplaceId = 'mkt_both';
    const second = await service.startReplica();
    const readers = [service.follow({ caller: { marketplaceId } }), second.follow({ caller: { marketplaceId } })];
    await Promise.all(readers.map(({ opened }) => opened));
    const published = Array.from({ length: 30 }, () => anEvent({ marketplaceId }));
    for (const event of published) await service.broker.publish([event]);
    const [one, other] = await Promise.all(readers.map((reader) => reader.has(30)));
    expect(one).toEqual(other);
    expect(one?.map(({ eventId }) => eventId)).toEqual(published.map(({ id }) => id));
  });

  it('elect a new appender when the current one stops', async () => {
    const marketplaceId = 'mkt_takeover';
    const survivor = await service.startReplica();
    const reader = survivor.follow({ caller: { marketplaceId } });
    await reader.opened;
    const published = Array.from({ length: 40 }, () => anEvent({ marketplaceId }));
    await service.broker.publish(published.slice(0, 20));
    await service.stop();
    await service.broker.publish(published.slice(20));
    const events = await reader.has(40);
    expect(new Set(events.map(({ eventId }) => eventId))).toEqual(new Set(published.map(({ id }) => id)));
    expect(events).toHaveLength(40);
  });

  it('refuse appends of a superseded process', async () => {
    const marketplaceId = 'mkt_fenced';
    const reader = (await service.startReplica()).follow({ caller: { marketplaceId } });
    await reader.opened;
    await service.database.asAdmin('update notifications.appender set token = token + 1');
    const published = Array.from({ length: 10 }, () => anEvent({ marketplaceId }));
    await service.broker.publish(published);
    const events = await reader.has(10);
    expect(new Set(events.map(({ eventId }) => eventId)).size).toBe(10);
    await eventually(async () => {
      const rows = await service.database.asAdmin<{ readonly count: string }>(
        `select count(*) as count from notifications.events where marketplace_id = '${marketplaceId}'`,
      );
      expect(rows[0]?.count).toBe('10');
    });
  });
});
