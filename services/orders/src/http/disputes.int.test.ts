import { eventually } from '@holdfast/testing/eventually';
import type { TestResponse } from '@holdfast/testing/services';
import { stepsUntil, startOrders, type RunningOrders } from '../testing/running-orders.js';

let orders: RunningOrders;

beforeAll(async () => {
  orders = await startOrders();
});

afterAll(async () => {
  await orders.stop();
});

const seen = ({ status, code }: TestResponse) => [status, code];
const agent = { type: 'api_key', id: 'key_agent' } as const;

async function aDispute(isAssigned = true) {
  const { id: orderId } = await orders.anOrderAfter(stepsUntil.disputed);
  const disputeId = (await orders.orderNow(orderId)).dispute?.id ?? '';
  if (isAssigned) await orders.post(`/disputes/${disputeId}/assign`, { assignedTo: 'agent-3' }, agent);
  return { orderId, disputeId, resolve: (body: object) => orders.post(`/disputes/${disputeId}/resolve`, body, agent) };
}

describe('POST /orders/{orderId}/resolution/dispute', () => {
  it('201 with the current order; publishes no command', async () => {
    const { id } = await orders.anOrderAfter(stepsUntil.inProgress);
    const evidence = ['https://files.example/chat.pdf'];
    const body = { orderId: 'ord_ignored', openedBy: 'SELLER', reason: 'QUALITY_ISSUE', evidence };
    const response = await orders.do(id, 'dispute', body);
    expect([response.status, response.data.data]).toMatchObject([
      201,
      {
        orderId: id,
        openedBy: 'SELLER',
        reason: 'QUALITY_ISSUE',
        evidence,
        status: 'OPEN',
        resolutionDecision: null,
        order: { status: 'DISPUTED', escrow: { status: 'DISPUTED' }, dispute: { status: 'OPEN' } },
      },
    ]);
    await eventually(async () => {
      const events = (await orders.eventsOf(id)).slice(-2);
      expect(events.map(({ type, aggregateVersion }) => [type, aggregateVersion])).toEqual([
        ['dispute.opened', 1],
        ['order.disputed', 7],
      ]);
    });
    for (const step of ['release', 'refund', 'dispute'] as const)
      expect(seen(await orders.do(id, step))).toEqual([400, 'INVALID_STATE']);
    expect((await orders.get(`/disputes/${response.data.data.id}`)).data.data.evidence).toEqual(evidence);
  });
});

describe('POST /disputes/{id}/resolve', () => {
  it('200 SPLIT pays both parties, takes the fee from the seller, and publishes the events in order', async () => {
    const { orderId, disputeId, resolve } = await aDispute();
    const response = await resolve({ decision: 'SPLIT', sellerAmount: '60.00', buyer_amount: '40', note: 'half done' });
    expect([response.status, response.data.data]).toMatchObject([
      200,
      {
        id: disputeId,
        status: 'RESOLVED',
        resolutionDecision: 'SPLIT',
        releaseAmount: '60.00',
        refundAmount: '40.00',
        decisionNote: 'half done',
        resolvedBy: 'key_agent',
      },
    ]);
    expect(await orders.orderNow(orderId)).toMatchObject({
      status: 'CLOSED',
      closeReason: 'SPLIT',
      escrow: { status: 'RELEASED' },
    });
    const request = orders.published.findLast(({ type }) => type === 'escrow.settlement_requested');
    expect(request?.payload).toMatchObject({
      decision: 'SPLIT',
      sellerAmount: '60.00',
      buyerAmount: '40.00',
      platformFee: '3.00',
    });
    const events = (await orders.eventsOf(orderId)).slice(-4);
    expect(events.map(({ type }) => type)).toEqual([
      'order.release_requested',
      'dispute.resolved',
      'order.released',
      'order.closed',
    ]);
    expect(events[1]?.payload).toMatchObject({
      decision: 'SPLIT',
      resolvedBy: 'key_agent',
      sellerAmount: '60.00',
      buyerAmount: '40.00',
    });
    expect(events[2]?.payload).toMatchObject({ amount: '60.00', platformFee: '3.00', netAmount: '57.00' });
    expect(events[3]?.payload).toMatchObject({ finalStatus: 'SPLIT' });
    expect((await orders.auditsOf(orderId)).slice(-4).map(({ action, actorId }) => `${action} ${actorId}`)).toEqual(
      ['RELEASE_REQUESTED', 'DISPUTE_RESOLVED', 'RELEASED', 'CLOSED'].map((action) => `${action} key_agent`),
    );
  });

  it('400 for a dispute that is OPEN, for parts that do not add up, and for parts without SPLIT', async () => {
    const open = await aDispute(false);
    expect(seen(await open.resolve({ decision: 'FULL_REFUND' }))).toEqual([400, 'INVALID_STATE']);
    const { resolve } = await aDispute();
    const split = { decision: 'SPLIT', releaseAmount: '60.00' };
    expect(seen(await resolve({ ...split, refundAmount: '41.00' }))).toEqual([400, 'INVALID_AMOUNT']);
    expect(seen(await resolve({ ...split, refundAmount: '-40.00' }))).toEqual([400, 'INVALID_AMOUNT']);
    expect(seen(await resolve(split))).toEqual([400, 'VALIDATION_ERROR']);
    expect(seen(await resolve({ decision: 'FULL_REFUND', refundAmount: '1.00' }))).toEqual([400, 'VALIDATION_ERROR']);
  });
});

describe('comments and lists', () => {
  it('201 stores comments, and 200 lists them newest first', async () => {
    const { disputeId } = await aDispute(false);
    const path = `/disputes/${disputeId}/comments`;
    const first = await orders.post(path, { text: 'first' }, agent);
    expect([first.status, first.data.data]).toMatchObject([201, { disputeId, text: 'first', author: 'key_agent' }]);
    await orders.post(path, { text: 'second', author: 'agent-3' }, agent);
    const page = (await orders.get(`${path}?limit=1`, agent)).data;
    expect([page.data[0].text, page.hasMore]).toEqual(['second', true]);
    const rest = (await orders.get(`${path}?limit=1&cursor=${page.nextCursor}`, agent)).data;
    expect([rest.data[0].text, rest.nextCursor]).toEqual(['first', null]);
    expect(seen(await orders.post(path, { text: '' }, agent))).toEqual([400, 'VALIDATION_ERROR']);
  });

  it('200 lists disputes newest first and filters them', async () => {
    const [one, two] = [await aDispute(), await aDispute(false)];
    const ids = async (query: string) =>
      (await orders.get(`/disputes?${query}`)).data.data.map(({ id }: { readonly id: string }) => id) as readonly string[];
    expect((await ids('limit=2')).slice(0, 2)).toEqual([two.disputeId, one.disputeId]);
    expect(await ids(`orderId=${one.orderId}`)).toEqual([one.disputeId]);
    expect(await ids(`order_id=${one.orderId}&status=OPEN`)).toEqual([]);
    expect(await ids(`limit=1&cursor=${two.disputeId}&openedBy=BUYER`)).toEqual([one.disputeId]);
    expect(seen(await orders.get('/disputes?status=LOST'))).toEqual([400, 'VALIDATION_ERROR']);
  });
});
