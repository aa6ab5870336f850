import {
  balanceCredited,
  disputeOpened,
  disputeOverdue,
  escrowCreated,
  milestoneRefunded,
  orderCreated,
  orderEscrowFunded,
  orderRefundRequested,
  type Envelope,
} from '@holdfast/contracts/messages';
import { instantIn } from '@holdfast/contracts/shapes';
import { eventually } from '@holdfast/testing/eventually';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { aCredit, aMessage, anAuditFact, anEvent } from '../testing/messages.js';
import { startNotifications, type RunningNotifications } from '../testing/running-notifications.js';

let service: RunningNotifications;
const parties = { buyerId: 'usr_1', sellerId: 'usr_2' };

beforeAll(async () => void (service = await startNotifications()), serverStartTimeoutMs);
afterAll(() => service.stopAll());

type Listed = { readonly data: readonly { readonly eventId: string }[] };

const idsIn = (response: { readonly data: unknown }): readonly string[] =>
  (response.data as Listed).data.map(({ eventId }) => eventId);

/** Appends the events one after the other. */
async function logged(events: readonly Envelope[], marketplaceId: `mkt_${string}`): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const event of events) {
    await service.broker.publish([{ ...event, marketplaceId }]);
    ids.push(event.id);
    await eventually(async () => expect(idsIn(await service.get('/event-log?limit=100', { marketplaceId }))).toEqual(ids));
  }
  return ids;
}

describe('GET /event-log', () => {
  const by = { marketplaceId: 'mkt_listed' } as const;
  let events: readonly Envelope[];
  let ids: readonly string[];

  beforeAll(async () => {
    const order = { aggregateId: 'ord_1' };
    events = [
      aMessage(orderCreated, { ...parties, orderId: 'ord_1', amount: '1.00', currency: 'USD', title: '' }, order),
      aCredit('usr_1', 1),
      aMessage(
        orderRefundRequested,
        { orderId: 'ord_1', requestedBy: 'key_1', requestedAt: '2026-01-31T12:00:00.000000Z' },
        order,
      ),
      anEvent(order),
      anEvent(),
    ];
    ids = await logged(events, by.marketplaceId);
    await logged([anEvent({ aggregateId: 'ord_1' })], 'mkt_other');
  });

  it('200 lists the events as the stream shows them, oldest first', async () => {
    const { status, data } = await service.get('/event-log', by);
    const stream = service.follow({ query: '?since=2026-01-01', caller: by });
    expect(status).toBe(200);
    expect(data).toMatchObject({ success: true, hasMore: false, nextCursor: null });
    expect(data.data).toEqual(await stream.has(ids.length));
  });

  it('200 pages with the cursor, and continues after an event', async () => {
    const first = await service.get('/event-log?limit=2', by);
    expect([idsIn(first), first.data.nextCursor]).toEqual([ids.slice(0, 2), ids[1]]);
    const second = await service.get(`/event-log?limit=2&cursor=${ids[1] ?? ''}`, by);
    expect([idsIn(second), second.data.hasMore]).toEqual([ids.slice(2, 4), true]);
    expect(idsIn(await service.get(`/event-log?after=${ids[3] ?? ''}`, by))).toEqual(ids.slice(4));
    expect(idsIn(await service.get(`/event-log?after=${ids[4] ?? ''}`, by))).toEqual([]);
  });

  it.each([
    ['types=balance.credited', [1]],
    ['types=order.*', [0, 2, 3, 4]],
    ['types=order.created&types=balance.*', [0, 1]],
    ['types=dispute.*', []],
    ['aggregateId=ord_1', [0, 2, 3]],
    ['aggregate_id=ord_1&types=order.closed', [3]],
    ['aggregateId=ord_unknown', []],
    ['types=order.*&limit=2', [0, 2]],
  ])('200 filters by %s', async (query, places) => {
    expect(idsIn(await service.get(`/event-log?${query}`, by))).toEqual(places.map((place) => ids[place]));
  });

  it('400 VALIDATION_ERROR after an event that is not in the history of the marketplace', async () => {
    const refused = { status: 400, code: 'VALIDATION_ERROR' };
    for (const path of [`after=${ids[0] ?? ''}`, `cursor=${ids[0] ?? ''}`])
      expect(await service.get(`/event-log?${path}`, { marketplaceId: 'mkt_other' })).toMatchObject(refused);
    for (const path of [
      'after=evt_unknown',
      'after=ord_1',
      'types=order.lost',
      'types=*',
      'limit=101',
      'aggregateId=',
      'other=1',
    ])
      expect(await service.get(`/event-log?${path}`, by)).toMatchObject(refused);
  });
});

describe('GET /event-log/{eventId}', () => {
  it('200 shows the event to its marketplace, 404 EVENT_NOT_FOUND to others', async () => {
    const by = { marketplaceId: 'mkt_single' } as const;
    const [eventId = ''] = await logged([anEvent()], by.marketplaceId);
    const found = await service.get(`/event-log/${eventId}`, by);
    expect(found).toMatchObject({ status: 200, data: { eventId, eventType: 'order.closed', metadata: { aggregateVersion: 1 } } });
    const missing = { status: 404, code: 'EVENT_NOT_FOUND' };
    expect(await service.get(`/event-log/${eventId}`, { marketplaceId: 'mkt_other' })).toMatchObject(missing);
    for (const id of ['evt_unknown', 'ord_1']) expect(await service.get(`/event-log/${id}`, by)).toMatchObject(missing);
  });
});

const dayOf = (days: number): string => new Date(Date.UTC(2026, 0, 1 + days)).toISOString();

describe('GET /summary', () => {
  const by = { marketplaceId: 'mkt_counted' } as const;
  const summaryOf = async (marketplaceId: `mkt_${string}`, query = '?from=2026-01-01&to=2026-01-04') =>
    (await service.get(`/summary${query}`, { marketplaceId })).data;

  it('200 counts everything once, while the process that counts dies and messages come again', async () => {
    const messages = Array.from({ length: 30 }, (_, order) => messagesOf(order, by.marketplaceId));
    const half = messages.slice(0, 15).flat();
    await service.broker.publish(half);
    await service.broker.publish(messagesOf(99, 'mkt_uncounted'));
    await eventually(async () => expect((await summaryOf(by.marketplaceId)).orders.IN_PROGRESS).toBe(15), { timeoutMs: 10_000 });
    const second = await service.startReplica();
    await service.stop();
    service = { ...service, ...second };
    await service.broker.publish([...half.slice(-5), ...messages.slice(15).flat()]);
    const expected = {
      orders: { ORDER_CREATED: 0, IN_PROGRESS: 30, CLOSED: 0 },
      volume: [0, 1, 2].map((day) => ({ date: dayOf(day).slice(0, 10), currency: 'USD', orders: 10, amount: '100.00' })),
      escrow: [{ currency: 'USD', amount: '180.00' }],
      available: [{ currency: 'USD', amount: '60.00' }],
      disputes: { open: 15, overdue: 6 },
      failingEndpoints: 0,
      from: '2026-01-01T00:00:00.000000Z',
      to: '2026-01-04T00:00:00.000000Z',
      countedSince: null,
    };
    await eventually(async () => expect(await summaryOf(by.marketplaceId)).toMatchObject(expected), { timeoutMs: 10_000 });
  });

  it('200 shows nothing of other marketplaces, and its volume by whole days', async () => {
    await eventually(async () => expect((await summaryOf('mkt_uncounted')).orders.IN_PROGRESS).toBe(1), { timeoutMs: 10_000 });
    expect((await summaryOf(by.marketplaceId, '?from=2026-01-02T10:00:00Z&to=2026-01-02T11:00:00Z')).volume).toHaveLength(1);
    expect(await summaryOf('mkt_empty')).toMatchObject({ volume: [], escrow: [], available: [], reserved: [] });
  });

  it('200 is as of now once everything is counted', async () => {
    const { asOf, to } = await summaryOf('mkt_empty', '');
    expect([asOf < to, Date.parse(to) - Date.parse(asOf) <= 86_400_000]).toEqual([true, true]);
  });

  it('200 says since when it counts, if older events were dropped before a rebuild', async () => {
    const marketplaceId = 'mkt_rebuilt';
    const balanceOf = (version: number, previousAvailableBalance: string, newAvailableBalance: string): Envelope => {
      const amounts = { amount: '1.00', currency: 'USD', previousAvailableBalance, newAvailableBalance };
      const place = { marketplaceId, aggregateId: 'usr_rebuilt', aggregatePart: 'USD', aggregateVersion: version } as const;
      return aMessage(balanceCredited, { userId: 'usr_rebuilt', ...amounts, source: 'manual' }, place);
    };
    await logged([balanceOf(1, '0.00', '2.00'), balanceOf(2, '2.00', '4.00')], marketplaceId);
    const admin = (sql: string) => service.database.asAdmin<{ readonly at: string }>(sql);
    const ofMarketplace = `notifications.events where marketplace_id = '${marketplaceId}'`;
    const [oldest] = await admin(`select max(position)::text as at from ${ofMarketplace}`);
    await admin(`delete from notifications.events where position < ${oldest?.at ?? ''}`);
    await admin('truncate notifications.summary_counts, notifications.counted_escrows, notifications.counted_disputes');
    await admin('update notifications.summary_position set position = 0, audit_position = 0');
    await service.broker.publish([balanceOf(3, '4.00', '5.00')]);
    await eventually(async () =>
      expect((await summaryOf(marketplaceId)).available).toEqual([{ currency: 'USD', amount: '3.00' }]),
    );
    const [left] = ((await service.get('/event-log', { marketplaceId })).data as { readonly data: readonly object[] }).data;
    expect(left).toMatchObject({ occurredAt: (await summaryOf(marketplaceId)).countedSince });
    expect((await summaryOf(by.marketplaceId)).orders.IN_PROGRESS).toBe(30);
  });

  it.each(['?from=2026-01-02&to=2026-01-02', '?from=2025-01-01&to=2026-01-03', '?from=soon', '?since=2026-01-01'])(
    '400 VALIDATION_ERROR for %s',
    async (query) => {
      expect(await service.get(`/summary${query}`)).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' });
    },
  );
});

/** An order of 10.00 that is in progress; 4.00 of it are paid out already, the buyer has 2.00 left, and every second one is disputed. */
function messagesOf(order: number, marketplaceId: `mkt_${string}`): readonly Envelope[] {
  const [orderId, escrowId, disputeId] = [`ord_${order}`, `esc_${order}`, `dsp_${order}`];
  const occurredAt = instantIn.parse(dayOf(order % 3));
  const given = { marketplaceId, occurredAt };
  const ofOrder = { ...given, aggregateId: orderId };
  const moved = { orderId, escrowId, amount: '10.00' };
  const at = occurredAt;
  const dispute = { disputeId, orderId };
  const opened = { ...dispute, openedBy: 'BUYER', reason: 'OTHER', openedAt: at };
  const disputeEvents = [
    aMessage(disputeOpened, opened, { ...given, aggregateId: disputeId }),
    ...(order % 5 === 0 || order % 5 === 2
      ? [aMessage(disputeOverdue, { ...dispute, at, dueAt: at }, { ...given, aggregateId: disputeId })]
      : []),
  ];
  const credited = { previousAvailableBalance: '0.00', newAvailableBalance: '2.00', amount: '2.00' };
  return [
    aMessage(orderCreated, { ...moved, ...parties, title: '', currency: 'USD', escrowId: undefined }, ofOrder),
    anAuditFact({ action: 'ORDER_CREATED', before: null, after: { status: 'ORDER_CREATED' }, resourceId: orderId }, given),
    aMessage(escrowCreated, { ...moved, currency: 'USD', providerContractId: 'C' }, { ...given, aggregateId: escrowId }),
    aMessage(orderEscrowFunded, { ...moved, providerContractId: 'C', fundedAt: at }, ofOrder),
    anAuditFact(
      { action: 'IN_PROGRESS', before: { status: 'ORDER_CREATED' }, after: { status: 'IN_PROGRESS' }, resourceId: orderId },
      given,
    ),
    aMessage(milestoneRefunded, { ...moved, amount: '4.00', milestoneRef: 'a', refundedAt: at, cause: null }, ofOrder),
    aCredit(`usr_${order}`, 1, { ...given, payload: { userId: `usr_${order}`, currency: 'USD', source: 'escrow', ...credited } }),
    ...(order % 2 === 0 ? disputeEvents : []),
  ];
}
