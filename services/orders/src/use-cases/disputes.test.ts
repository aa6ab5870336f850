import type { DisputeId } from '@holdfast/kernel/ids';
import * as message from '@holdfast/contracts/messages';
import { refusalOf } from '@holdfast/testing/memory';
import { memoryOrders, stepsUntil, type MemoryOrders } from '../testing/memory-orders.js';
import { escrowIdOf, reply } from '../testing/simulated-services.js';
import { addDisputeComment } from './add-dispute-comment.js';
import { assignDispute } from './assign-dispute.js';
import { getDispute } from './get-dispute.js';
import { listDisputeComments } from './list-dispute-comments.js';
import { openDispute } from './open-dispute.js';
import { requestResolution, type ResolveDispute } from './request-resolution.js';

let orders: MemoryOrders;
beforeEach(() => {
  orders = memoryOrders();
});
afterEach(() => orders.idle());

const byAgent = () => orders.by({ id: 'key_agent' });
const assign = (id: DisputeId) => assignDispute(orders.deps, { id, assignedTo: 'agent-3' }, byAgent());
const typesOf = (id: string) => orders.eventsOf(id).map(({ type }) => type);

async function aDispute(isAssigned = true) {
  const { id: orderId } = await orders.anOrderAfter(stepsUntil.inProgress);
  const { id } = await orders.do(orderId, 'dispute');
  if (isAssigned) await assign(id);
  const resolve = (given: Omit<ResolveDispute, 'id'>) => requestResolution(orders.deps, { id, ...given }, byAgent());
  return { id, orderId, resolve };
}

describe('openDispute', () => {
  it('moves order and escrow to DISPUTED, publishes both events and no command', async () => {
    const { id: orderId } = await orders.anOrderAfter(stepsUntil.inProgress);
    const evidence = ['https://files.example/chat.pdf'];
    const input = { orderId, openedBy: 'SELLER', reason: 'QUALITY_ISSUE', evidence } as const;
    const opened = await openDispute(orders.deps, input, orders.by());
    expect(opened).toMatchObject({
      ...input,
      status: 'OPEN',
      resolutionDecision: null,
      order: { status: 'DISPUTED', escrow: { status: 'DISPUTED' }, dispute: { status: 'OPEN' } },
    });
    const events = orders.eventsOf(orderId).slice(-2);
    expect(events.map(({ type, aggregateVersion }) => [type, aggregateVersion])).toEqual([
      ['dispute.opened', 1],
      ['order.disputed', 7],
    ]);
    expect(events[0]?.payload).toMatchObject({ disputeId: opened.id, evidence });
    expect(orders.lastOf(orderId, message.escrowSettlementRequested)).toBeUndefined();
    const audits = orders.auditsOf(orderId).slice(-2);
    expect(audits.map(({ action }) => action)).toEqual(['DISPUTE_OPENED', 'DISPUTED']);
    for (const step of ['release', 'refund', 'dispute'] as const)
      expect((await refusalOf(orders.do(orderId, step)))[0]).toBe('INVALID_STATE');
  });

  it('INVALID_STATE for an order that is not IN_PROGRESS', async () => {
    const { id } = await orders.anOrder();
    expect((await refusalOf(orders.do(id, 'dispute')))[0]).toBe('INVALID_STATE');
  });

  it('is possible about a contract that was disputed on the ledger network, whose release is refused', async () => {
    const { id } = await orders.anOrderAfter(stepsUntil.inProgress);
    await orders.simulated.publish(message.escrowDisputeSeen, { escrowId: escrowIdOf(id), orderId: id });
    expect(await orders.orderNow(id)).toMatchObject({ status: 'IN_PROGRESS', escrow: { status: 'DISPUTED' } });
    expect((await refusalOf(orders.do(id, 'release')))[0]).toBe('INVALID_STATE');
    const { id: disputeId } = await orders.do(id, 'dispute');
    await assign(disputeId);
    const resolved = await requestResolution(orders.deps, { id: disputeId, decision: 'FULL_RELEASE' }, byAgent());
    expect(resolved.status).toBe('RESOLVED');
  });
});

describe('a dispute of another marketplace', () => {
  it('DISPUTE_NOT_FOUND for every use case', async () => {
    const { id } = await aDispute();
    const elsewhere = orders.by({ marketplaceId: 'mkt_other' });
    const refused = [
      assignDispute(orders.deps, { id, assignedTo: 'me' }, elsewhere),
      requestResolution(orders.deps, { id, decision: 'FULL_REFUND' }, elsewhere),
      addDisputeComment(orders.deps, { id, text: 'hello' }, elsewhere),
      getDispute(orders.deps, { id }, elsewhere),
      listDisputeComments(orders.deps, { id, limit: 10 }, elsewhere),
    ];
    for (const request of refused) expect(await refusalOf(request)).toEqual(['DISPUTE_NOT_FOUND', { disputeId: id }]);
  });
});

describe('assignDispute', () => {
  it('starts the review, once', async () => {
    const { id, orderId } = await aDispute(false);
    expect(await assign(id)).toMatchObject({ id, status: 'UNDER_REVIEW', assignedTo: 'agent-3' });
    expect(await refusalOf(assign(id))).toMatchObject(['INVALID_STATE', { currentStatus: 'UNDER_REVIEW' }]);
    expect(orders.eventsOf(orderId).at(-1)).toMatchObject({
      type: 'dispute.under_review',
      aggregateVersion: 2,
      payload: { disputeId: id, reviewedBy: 'agent-3' },
    });
  });
});

describe('requestResolution', () => {
  it('SPLIT pays both parties, takes the fee from the seller, and publishes the events in order', async () => {
    const { id, orderId, resolve } = await aDispute();
    const resolved = await resolve({ decision: 'SPLIT', releaseAmount: '60.00', refundAmount: '40', note: 'half done' });
    const parts = { resolutionDecision: 'SPLIT', releaseAmount: '60.00', refundAmount: '40.00', decisionNote: 'half done' };
    expect(resolved).toMatchObject({ id, status: 'RESOLVED', ...parts, resolvedBy: 'key_agent' });
    expect(await orders.orderNow(orderId)).toMatchObject({
      status: 'CLOSED',
      closeReason: 'SPLIT',
      escrow: { status: 'RELEASED' },
    });
    const command = { decision: 'SPLIT', sellerAmount: '60.00', buyerAmount: '40.00', platformFee: '3.00' };
    expect(orders.lastOf(orderId, message.escrowSettlementRequested)?.payload).toMatchObject(command);
    expect(orders.eventsOf(orderId).slice(-4)).toMatchObject([
      { type: 'order.release_requested' },
      { type: 'dispute.resolved', payload: { decision: 'SPLIT', resolvedBy: 'key_agent', sellerAmount: '60.00' } },
      { type: 'order.released', payload: { amount: '60.00', platformFee: '3.00', netAmount: '57.00' } },
      { type: 'order.closed', payload: { finalStatus: 'SPLIT' } },
    ]);
    const actions = ['RELEASE_REQUESTED', 'DISPUTE_RESOLVED', 'RELEASED', 'CLOSED'];
    expect(orders.auditsOf(orderId).slice(-4)).toMatchObject(actions.map((action) => ({ action, actorId: 'key_agent' })));
  });

  it.each([
    ['FULL_RELEASE', 'RELEASED', { releaseAmount: '100.00', refundAmount: '0.00' }, 'order.released'],
    ['FULL_REFUND', 'REFUNDED', { releaseAmount: '0.00', refundAmount: '100.00' }, 'order.refunded'],
  ] as const)('%s closes the order as %s', async (decision, end, parts, published) => {
    const { orderId, resolve } = await aDispute();
    expect(await resolve({ decision })).toMatchObject({ status: 'RESOLVED', ...parts });
    expect(await orders.orderNow(orderId)).toMatchObject({ status: 'CLOSED', closeReason: end, escrow: { status: end } });
    expect(typesOf(orderId).slice(-3)).toEqual(['dispute.resolved', published, 'order.closed']);
  });

  it('SPLIT with nothing for the seller closes the order as SPLIT', async () => {
    const { orderId, resolve } = await aDispute();
    await resolve({ decision: 'SPLIT', releaseAmount: '0', refundAmount: '100.00' });
    expect(await orders.orderNow(orderId)).toMatchObject({ closeReason: 'SPLIT', escrow: { status: 'RELEASED' } });
    expect(orders.eventsOf(orderId).at(-2)).toMatchObject({ type: 'order.released', payload: { amount: '0.00' } });
  });

  it('INTERNAL_ERROR changes nothing, the next attempt works, and a third one is INVALID_STATE', async () => {
    const { id, orderId, resolve } = await aDispute();
    orders.simulated.replyNextWith(orderId, message.escrowSettlementRequested, ({ escrowId }) => [
      reply(message.escrowSettlementFailed, { escrowId, orderId, reason: 'no', isDisputed: true }),
    ]);
    expect((await refusalOf(resolve({ decision: 'FULL_REFUND' })))[0]).toBe('INTERNAL_ERROR');
    expect(await orders.orderNow(orderId)).toMatchObject({
      status: 'DISPUTED',
      escrow: { status: 'DISPUTED' },
      dispute: { id, status: 'UNDER_REVIEW', resolutionDecision: null },
    });
    expect((await resolve({ decision: 'FULL_RELEASE' })).status).toBe('RESOLVED');
    expect((await refusalOf(resolve({ decision: 'FULL_RELEASE' })))[0]).toBe('INVALID_STATE');
  });

  it('INVALID_STATE for a dispute that is OPEN; INVALID_AMOUNT for parts that are missing or do not add up', async () => {
    const open = await aDispute(false);
    expect((await refusalOf(open.resolve({ decision: 'FULL_REFUND' })))[0]).toBe('INVALID_STATE');
    const { resolve } = await aDispute();
    const split = { decision: 'SPLIT', releaseAmount: '60.00' } as const;
    for (const given of [split, { ...split, refundAmount: '41.00' }, { ...split, refundAmount: '39.99' }])
      expect((await refusalOf(resolve(given)))[0]).toBe('INVALID_AMOUNT');
  });
});

describe('addDisputeComment', () => {
  it('stores the comment of the caller or of the named author, in every state, and audits it', async () => {
    const { id, orderId, resolve } = await aDispute();
    const first = await addDisputeComment(orders.deps, { id, text: 'first' }, byAgent());
    expect(first).toMatchObject({ disputeId: id, text: 'first', author: 'key_agent' });
    await resolve({ decision: 'FULL_REFUND' });
    orders.clock.advance(1);
    const second = await addDisputeComment(orders.deps, { id, text: 'second', author: 'agent-3' }, byAgent());
    const { items } = await listDisputeComments(orders.deps, { id, limit: 10 }, byAgent());
    expect(items).toEqual([second, first]);
    expect(orders.auditsOf(orderId).at(-1)).toMatchObject({ action: 'DISPUTE_COMMENTED', after: { commentId: second.id } });
  });
});
