import type { OrderTimelineRecord } from '@holdfast/contracts/http';
import * as message from '@holdfast/contracts/messages';
import type { TestCaller, TestResponse } from '@holdfast/testing/services';
import { stepsUntil, startOrders, type RunningOrders } from '../testing/running-orders.js';
import { reply } from '../testing/simulated-services.js';

let orders: RunningOrders;

beforeAll(async () => {
  orders = await startOrders();
});

afterAll(async () => {
  await orders.stop();
});

const another = { marketplaceId: 'mkt_other', type: 'api_key', id: 'key_other' } as const;
const idOf = ({ id }: { readonly id: string }): string => id;
const seen = ({ status, code }: TestResponse) => [status, code];

describe('another marketplace', () => {
  it('404 on every route of the order and its dispute', async () => {
    const { id } = await orders.anOrderAfter(stepsUntil.disputed);
    const disputeId = (await orders.orderNow(id)).dispute?.id ?? '';
    const responses = await Promise.all([
      orders.get(`/orders/${id}`, another),
      orders.get(`/orders/${id}/milestones`, another),
      orders.get(`/orders/${id}/timeline`, another),
      orders.get(`/orders/${id}/transfers`, another),
      orders.post(`/orders/${id}/milestones/a/complete`, {}, another),
      ...(['reserve', 'cancel', 'escrow', 'fund', 'release', 'refund', 'dispute'] as const).map((step) =>
        orders.do(id, step, undefined, another),
      ),
    ]);
    expect(new Set(responses.map((response) => seen(response).join(' ')))).toEqual(new Set(['404 ORDER_NOT_FOUND']));
    const ofDispute = await Promise.all([
      orders.get(`/disputes/${disputeId}`, another),
      orders.post(`/disputes/${disputeId}/assign`, { assignedTo: 'me' }, another),
      orders.post(`/disputes/${disputeId}/resolve`, { decision: 'FULL_REFUND' }, another),
      orders.post(`/disputes/${disputeId}/comments`, { text: 'hello' }, another),
      orders.get(`/disputes/${disputeId}/comments`, another),
    ]);
    expect(new Set(ofDispute.map((response) => seen(response).join(' ')))).toEqual(new Set(['404 DISPUTE_NOT_FOUND']));
    expect((await orders.get(`/disputes?orderId=${id}`, another)).data.data).toEqual([]);
    expect((await orders.get('/orders?cursor=' + id, another)).code).toBe('VALIDATION_ERROR');
  });

  it('404 for a malformed id', async () => {
    expect(seen(await orders.get('/orders/usr_1'))).toEqual([404, 'ORDER_NOT_FOUND']);
    expect(seen(await orders.get('/disputes/nonsense'))).toEqual([404, 'DISPUTE_NOT_FOUND']);
  });
});

describe('an order in a response', () => {
  it('is the same text on every route: its keys have one order, and metadata is as it was sent', async () => {
    const metadata = { zeta: 1, alpha: { later: true, earlier: false } };
    const milestones = [{ ref: 'draft', title: 'First draft', amount: '100.00' }];
    const { id } = await orders.anOrder({ metadata, milestones });
    const requests = [
      ...(['reserve', 'escrow', 'fund'] as const).map((step) => () => orders.do(id, step)),
      () => orders.post(`/orders/${id}/milestones/draft/complete`, {}),
      () => orders.do(id, 'release'),
    ];
    for (const request of requests) {
      const { milestone: _, ...order } = (await request()).data.data;
      expect(JSON.stringify(order)).toBe(JSON.stringify(await orders.orderNow(id)));
    }
  });
});

describe('GET /orders', () => {
  it('200 lists newest first, page by page, and filters', async () => {
    const [buyerId, sellerId] = [orders.aUser(), orders.aUser()];
    const made: string[] = [];
    for (let count = 0; count < 5; count += 1) made.unshift((await orders.anOrder({ buyerId, sellerId })).id);
    await orders.do(made[0] ?? '', 'reserve');
    const pages: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const after: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const page = (await orders.get(`/orders?limit=2&buyer_id=${buyerId}&sellerId=${sellerId}${after}`)).data;
      pages.push(...page.data.map(({ id }: { readonly id: string }) => id));
      cursor = page.nextCursor as string | null;
    }
    expect(pages).toEqual(made);
    const reserved = (await orders.get(`/orders?buyerId=${buyerId}&status=FUNDS_RESERVED`)).data.data;
    expect(reserved.map(({ id }: { readonly id: string }) => id)).toEqual(made.slice(0, 1));
    expect((await orders.get(`/orders?buyerId=${sellerId}`)).data.data).toEqual([]);
  });

  it('200 for dates without time or zone', async () => {
    const { id, buyerId } = await orders.anOrder();
    const listed = async (query: string) =>
      (await orders.get(`/orders?buyer_id=${buyerId}&${query}`)).data.data.map((order: { readonly id: string }) => order.id);
    for (const past of ['2020-01-31', '2020-01-31T12:00', '2020-01-31T12:00:00']) {
      expect([await listed(`created_after=${past}`), await listed(`created_before=${past}`)]).toEqual([[id], []]);
    }
  });

  it.each([
    'status=LOST',
    'colour=red',
    'limit=0',
    'limit=101',
    'limit=1e1',
    'limit=5.0',
    'limit=%205',
    'limit=%2B5',
    'cursor=ord_unknown',
    'buyer_id=usr_1&buyerId=usr_1',
  ])('400 VALIDATION_ERROR for %s', async (query) => {
    expect(seen(await orders.get(`/orders?${query}`))).toEqual([400, 'VALIDATION_ERROR']);
  });
});

describe('GET /orders?clientOrderRef=', () => {
  it('200 finds the order of the marketplace by either spelling', async () => {
    const { id } = await orders.anOrder({ clientOrderRef: 'cart-1042' });
    const found = async (query: string, by?: TestCaller) => (await orders.get(`/orders?${query}`, by)).data.data.map(idOf);
    expect(await found('clientOrderRef=cart-1042')).toEqual([id]);
    expect(await found('client_order_ref=cart-1042&status=ORDER_CREATED')).toEqual([id]);
    expect(await found('clientOrderRef=cart-1043')).toEqual([]);
    expect(await found('clientOrderRef=cart-1042', another)).toEqual([]);
  });

  it('400 VALIDATION_ERROR for an empty or an overlong one', async () => {
    for (const ref of ['', 'x'.repeat(256)])
      expect(seen(await orders.get(`/orders?clientOrderRef=${ref}`))).toEqual([400, 'VALIDATION_ERROR']);
  });
});

describe('GET /orders/{id}/timeline', () => {
  it('200 shows runs and timers, and names the parts of services that do not respond', async () => {
    const milestones = [{ ref: 'draft', title: 'First draft', amount: '100.00' }];
    const { id } = await orders.anOrderAfter(stepsUntil.inProgress, { milestones, reviewPeriod: 'P14D' });
    await orders.post(`/orders/${id}/milestones/draft/submit`, {});
    const { status, data } = await orders.get(`/orders/${id}/timeline`);
    const timeline = data.data as OrderTimelineRecord;
    expect([status, timeline.orderId, timeline.isTruncated]).toEqual([200, id, false]);
    expect(timeline.unavailable).toEqual(['events', 'audit', 'network']);
    expect(timeline.runs.map(({ saga, state }) => [saga, state])).toEqual([
      ['reserve', 'SUCCEEDED'],
      ['create-escrow', 'SUCCEEDED'],
      ['fund', 'SUCCEEDED'],
    ]);
    const fund = timeline.runs.at(-1);
    expect(fund?.steps.filter(({ isOnMainPath }) => isOnMainPath).map(({ step, state }) => [step, state])).toEqual([
      ['start', 'done'],
      ['deduct', 'done'],
      ['fund', 'done'],
      ['finish', 'done'],
    ]);
    expect(fund?.steps.at(-1)).toMatchObject({ by: 'orders', state: 'skipped', at: null, reason: null });
    const timers = timeline.entries.filter(({ kind }) => kind === 'timer');
    expect(timers).toMatchObject([{ timer: 'release-due-soon' }, { timer: 'review', milestoneRef: 'draft', disputeId: null }]);
    expect(timeline.entries.map(({ at }) => at)).toEqual(timeline.entries.map(({ at }) => at).toSorted());
  });

  it('200 shows why a run has failed', async () => {
    const { id } = await orders.anOrder();
    orders.simulated.replyNextWith(id, message.orderReserveRequested, (command) => [
      reply(message.balanceReservationRefused, { ...command, code: 'INSUFFICIENT_FUNDS', details: {} }),
    ]);
    expect((await orders.do(id, 'reserve')).code).toBe('INSUFFICIENT_FUNDS');
    const [run] = (await orders.get(`/orders/${id}/timeline`)).data.data.runs as OrderTimelineRecord['runs'];
    expect(run).toMatchObject({ saga: 'reserve', state: 'FAILED', reason: { code: 'INSUFFICIENT_FUNDS' } });
    expect(run?.steps.find(({ step }) => step === 'reserve')).toMatchObject({
      state: 'failed',
      reason: { code: 'INSUFFICIENT_FUNDS' },
    });
  });
});

describe('GET /orders/{id}/milestones', () => {
  const refs = ['zulu', 'alpha', 'mike', 'a b/ü', '42'];
  const milestones = refs.map((ref) => ({ ref, title: ref, amount: '20.00' }));

  it('200 lists them in their own order, page by page', async () => {
    const { id } = await orders.anOrder({ milestones });
    const pages: string[][] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const after: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const { data, hasMore, nextCursor } = (await orders.get(`/orders/${id}/milestones?limit=2${after}`)).data;
      pages.push(data.map(({ ref }: { readonly ref: string }) => ref));
      expect(hasMore).toBe(nextCursor !== null);
      cursor = nextCursor as string | null;
    }
    expect(pages).toEqual([['zulu', 'alpha'], ['mike', 'a b/ü'], ['42']]);
    expect((await orders.get(`/orders/${id}/milestones?cursor=42`)).data.data).toEqual([]);
  });

  it.each(['cursor=unknown', 'cursor=', 'limit=1e1', 'limit=0', 'status=OPEN', 'created_after=2026-01-01'])(
    '400 VALIDATION_ERROR for %s',
    async (query) => {
      const { id } = await orders.anOrder({ milestones });
      expect(seen(await orders.get(`/orders/${id}/milestones?${query}`))).toEqual([400, 'VALIDATION_ERROR']);
    },
  );
});

describe('GET /orders/{id}/transfers', () => {
  it('200 is a page of what ledger-balance has booked for the order in this marketplace', async () => {
    const { id } = await orders.anOrder();
    const { status, data } = await orders.get(`/orders/${id}/transfers?limit=2&cursor=tr_7&created_after=2026-01-01`);
    const description = 'mkt_default 2 tr_7 2026-01-01T00:00:00.000000Z';
    expect({ status, data }).toMatchObject({
      status: 200,
      data: { success: true, data: [{ orderId: id, description }], hasMore: true, nextCursor: 'tr_1' },
    });
  });

  it('404 ORDER_NOT_FOUND for an unknown order', async () => {
    expect(seen(await orders.get('/orders/ord_unknown/transfers'))).toEqual([404, 'ORDER_NOT_FOUND']);
  });

  it.each(['limit=0', 'status=OPEN'])('400 VALIDATION_ERROR for %s', async (query) => {
    const { id } = await orders.anOrder();
    expect(seen(await orders.get(`/orders/${id}/transfers?${query}`))).toEqual([400, 'VALIDATION_ERROR']);
  });
});

describe('POST /orders/{id}/milestones/{ref}/complete', () => {
  const milestones = [
    { ref: 'a b/ü', title: 'First', amount: '40.00' },
    { ref: 'two', title: 'Second', amount: '60.00' },
  ];

  it('201 completes it once; 400 INVALID_STATE for a release before the last one', async () => {
    const { id } = await orders.anOrderAfter(stepsUntil.inProgress, { milestones });
    const complete = (ref: string) => orders.post(`/orders/${id}/milestones/${encodeURIComponent(ref)}/complete`, {});
    expect(seen(await complete('three'))).toEqual([404, 'MILESTONE_NOT_FOUND']);
    const first = await complete('a b/ü');
    expect([first.status, first.data.data.milestones[0].status]).toEqual([201, 'COMPLETED']);
    expect(first.data.data.milestone).toEqual(first.data.data.milestones[0]);
    expect(seen(await complete('a b/ü'))).toEqual([400, 'INVALID_STATE']);
    const early = await orders.do(id, 'release');
    expect([...seen(early), early.details]).toMatchObject([
      400,
      'INVALID_STATE',
      { currentStatus: 'IN_PROGRESS', allowedStatuses: ['IN_PROGRESS'], incompleteMilestones: ['two'] },
    ]);
    expect(early.body.error).toMatchObject({ message: 'These milestones are not completed: two.' });
    await complete('two');
    expect((await orders.do(id, 'release')).data.data.status).toBe('CLOSED');
    const published = (await orders.eventsOf(id)).filter(({ aggregateType }) => aggregateType === 'Escrow');
    expect(published.map(({ type, aggregateVersion, aggregatePart }) => [type, aggregateVersion, aggregatePart])).toEqual([
      ['escrow.funding_started', 1, 'orders'],
      ['escrow.milestone_completed', 2, 'orders'],
      ['escrow.milestone_completed', 3, 'orders'],
    ]);
  });

  it('400 INVALID_STATE while the order is not IN_PROGRESS', async () => {
    const { id } = await orders.anOrder({ milestones });
    expect(seen(await orders.post(`/orders/${id}/milestones/two/complete`, {}))).toEqual([400, 'INVALID_STATE']);
  });
});

describe('request bodies', () => {
  it('400 VALIDATION_ERROR for a refund without reason, and for a dispute without order or with an unknown party', async () => {
    const { id } = await orders.anOrder();
    const dispute = { orderId: id, openedBy: 'BUYER', reason: 'OTHER' };
    const responses = await Promise.all([
      orders.do(id, 'refund', { reason: '' }),
      orders.do(id, 'refund', {}),
      orders.do(id, 'release', { because: 'x' }),
      orders.do(id, 'dispute', { ...dispute, orderId: undefined }),
      orders.do(id, 'dispute', { ...dispute, openedBy: 'AGENT' }),
      orders.do(id, 'cancel', { by: 'me' }),
    ]);
    expect(responses.map(({ code }) => code)).toEqual(responses.map(() => 'VALIDATION_ERROR'));
  });
});

describe('GET /internal/noted-users/{id}', () => {
  it('200 with the consumed version of a user, zero if there is none', async () => {
    const system = { type: 'system', id: 'identity', scopes: [] } as const;
    const userId = orders.aUser();
    const knownVersion = async () => (await orders.get(`/internal/noted-users/${userId}`, system)).data as object;
    expect(await knownVersion()).toEqual({ version: 0 });
    const changed = { userId, externalUserId: 'x', type: 'BOTH', status: 'SUSPENDED' } as const;
    await orders.simulated.publish(message.userChanged, changed, { aggregateVersion: 7 });
    await orders.simulated.publish(message.userCreated, { ...changed, status: 'ACTIVE' });
    await orders.idle();
    expect(await knownVersion()).toEqual({ version: 7 });
    const response = await orders.post('/orders', { buyerId: userId, sellerId: orders.aUser(), amount: '5.00' });
    expect(seen(response)).toEqual([422, 'USER_NOT_ACTIVE']);
  });
});
