import * as message from '@holdfast/contracts/messages';
import type { OrderId } from '@holdfast/kernel/ids';
import { refusalOf } from '@holdfast/testing/memory';
import { memoryOrders, type MemoryOrders } from '../testing/memory-orders.js';
import { anInstant } from '../testing/simulated-services.js';
import { anOrderOfThree, fails } from '../testing/milestone-calls.js';
import { addDisputeEvidence } from './add-dispute-evidence.js';
import { assignDispute } from './assign-dispute.js';
import type { CreateOrder } from './new-order.js';
import { requestResolution } from './request-resolution.js';

let orders: MemoryOrders;
beforeEach(() => {
  orders = memoryOrders();
});
afterEach(() => orders.idle());

const anOrder = (given: Partial<CreateOrder> = {}) => anOrderOfThree(orders, given);

describe('a dispute about a milestone', () => {
  const open = async () => {
    const order = await anOrder();
    await order.submit('b');
    const { milestone } = await order.dispute('b');
    return { order, id: milestone.disputeId ?? 'dsp_none' };
  };

  it('touches its amount only, and opens its own dispute', async () => {
    const { order, id } = await open();
    expect(await order.now()).toMatchObject({
      status: 'IN_PROGRESS',
      dispute: null,
      amounts: { disputed: '30.01', inEscrow: '69.99' },
      milestones: [{}, { status: 'DISPUTED', disputeId: id }, {}],
    });
    expect(order.events().slice(-2)).toEqual(['dispute.opened', 'milestone.disputed']);
    expect(order.events()).not.toContain('order.disputed');
    expect(order.audits().slice(-2)).toEqual(['DISPUTE_OPENED', 'MILESTONE_DISPUTED']);
    expect((await refusalOf(order.dispute('b')))[0]).toBe('INVALID_STATE');
    await order.complete('a');
    expect((await order.release('a')).status).toBe('IN_PROGRESS');
  });

  it.each([
    ['FULL_RELEASE', {}, 'RELEASED', '30.01', '0.00'],
    ['FULL_REFUND', {}, 'REFUNDED', '0.00', '30.01'],
    ['SPLIT', { releaseAmount: '10.00', refundAmount: '20.01' }, 'SPLIT', '10.00', '20.01'],
  ] as const)('ends with %s', async (decision, amounts, status, ...[releasedAmount, refundedAmount]) => {
    const { order, id } = await open();
    await assignDispute(orders.deps, { id, assignedTo: 'agent-1' }, orders.by());
    const dispute = await requestResolution(orders.deps, { id, decision, ...amounts }, orders.by());
    expect(dispute).toMatchObject({ status: 'RESOLVED', milestoneRef: 'b', resolutionDecision: decision });
    expect(await order.now()).toMatchObject({
      status: 'IN_PROGRESS',
      milestones: [{}, { status, releasedAmount, refundedAmount }, {}],
    });
    expect(orders.lastOf(order.id, message.escrowSettlementRequested)).toMatchObject({
      saga: 'resolve-milestone-dispute',
      payload: { cause: 'dispute', milestoneRef: 'b', amount: '30.01' },
    });
    expect(order.events().at(-1)).toBe('dispute.resolved');
  });

  it('INVALID_AMOUNT for a split that is not the amount of the milestone', async () => {
    const { id } = await open();
    await assignDispute(orders.deps, { id, assignedTo: 'agent-1' }, orders.by());
    const split = { id, decision: 'SPLIT', releaseAmount: '10.00', refundAmount: '90.00' } as const;
    expect((await refusalOf(requestResolution(orders.deps, split, orders.by())))[0]).toBe('INVALID_AMOUNT');
  });

  it('stays UNDER_REVIEW if the contract could not pay', async () => {
    const { order, id } = await open();
    await assignDispute(orders.deps, { id, assignedTo: 'agent-1' }, orders.by());
    order.silently(fails);
    const resolve = () => requestResolution(orders.deps, { id, decision: 'FULL_REFUND' }, orders.by());
    expect((await refusalOf(resolve()))[0]).toBe('INTERNAL_ERROR');
    expect((await order.now()).milestones[1]).toMatchObject({ status: 'DISPUTED', operation: null });
    expect(await resolve()).toMatchObject({ status: 'RESOLVED' });
  });
});

describe('a milestone that was paid outside the platform', () => {
  const onlyOne = { milestones: [{ ref: 'a', title: 'All', amount: '100.00' }] };
  const paidOutside = async (id: OrderId) => {
    const { sellerId, buyerId, escrow } = await orders.orderNow(id);
    const settled = {
      ...{ orderId: id, escrowId: escrow?.id ?? 'esc_none', milestoneRef: 'a', amount: '100.00', currency: 'USD' as const },
      ...{ sellerId, buyerId, sellerAmount: '100.00', buyerAmount: '0.00', platformFee: '5.00', settledAt: anInstant },
    };
    const payouts = [{ userId: sellerId, amount: '95.00', newAvailableBalance: '95.00' }];
    const paid = { orderId: id, milestoneRef: 'a', currency: 'USD' as const, fee: '5.00', payouts };
    await orders.simulated.publish(message.escrowMilestoneSettled, settled, { saga: 'release-milestone' });
    await orders.simulated.publish(message.balanceEscrowSettled, paid, { saga: 'release-milestone' });
    await orders.idle();
  };

  it('is RELEASED, and the last one closes the order', async () => {
    const order = await anOrder(onlyOne);
    await paidOutside(order.id);
    expect(await order.now()).toMatchObject({ status: 'CLOSED', closeReason: 'RELEASED', milestones: [{ status: 'RELEASED' }] });
  });

  it('closes an order that is disputed as a whole: what was paid has decided the dispute', async () => {
    const order = await anOrder(onlyOne);
    await orders.do(order.id, 'dispute');
    await paidOutside(order.id);
    expect(await order.now()).toMatchObject({
      status: 'CLOSED',
      closeReason: 'RELEASED',
      dispute: { status: 'RESOLVED', resolutionDecision: 'FULL_RELEASE', resolvedBy: 'ledger-network' },
    });
  });

  it('ends its own run with INVALID_STATE if that had another goal', async () => {
    const order = await anOrder(onlyOne);
    order.silently();
    const waiting = refusalOf(order.refund('a'));
    await orders.idle();
    await paidOutside(order.id);
    expect(await waiting).toMatchObject(['INVALID_STATE', { currentStatus: 'RELEASED' }]);
    expect((await order.now()).status).toBe('CLOSED');
  });

  it('leaves a run on the whole order to its own reply, which closes the order', async () => {
    const order = await anOrder(onlyOne);
    order.silently();
    const waiting = refusalOf(orders.do(order.id, 'refund'));
    await orders.idle();
    const command = orders.lastOf(order.id, message.escrowSettlementRequested);
    await paidOutside(order.id);
    expect(await order.now()).toMatchObject({ status: 'REFUND_REQUESTED', milestones: [{ status: 'RELEASED' }] });
    const [{ declaration, payload } = { declaration: message.escrowSettlementFailed, payload: {} }] = fails(command?.payload);
    await orders.simulated.publish(declaration, payload, { saga: 'refund', sagaRunId: command?.sagaRunId });
    expect((await waiting)[0]).toBe('INTERNAL_ERROR');
    expect(await order.now()).toMatchObject({ status: 'CLOSED', closeReason: 'RELEASED' });
  });
});

describe('evidence', () => {
  it('LIMIT_EXCEEDED beyond 100 pieces, of a milestone and of a dispute', async () => {
    const order = await anOrder();
    for (let piece = 0; piece < 100; piece += 1) {
      await order.submit('a', { text: `draft ${piece}` });
      await order.change('a');
    }
    expect((await refusalOf(order.submit('a', { text: 'one more' })))[0]).toBe('LIMIT_EXCEEDED');
    expect((await order.submit('a')).milestone.evidence).toHaveLength(100);
    const id = (await order.dispute('b')).milestone.disputeId ?? 'dsp_none';
    const add = (text: string) => addDisputeEvidence(orders.deps, { id, by: 'SELLER', text }, orders.by());
    for (let piece = 0; piece < 100; piece += 1) await add(`piece ${piece}`);
    expect((await refusalOf(add('one more')))[0]).toBe('LIMIT_EXCEEDED');
    expect((await add('piece 1')).evidenceEntries).toHaveLength(100);
  });
});

describe('a review', () => {
  it('begins with the submission, ends with a change request, and begins anew with the next submission', async () => {
    const order = await anOrder({ reviewPeriod: 'P14D' });
    const first = (await order.submit('a', { text: 'one' })).milestone;
    expect(first).toMatchObject({ status: 'SUBMITTED', evidence: [{ text: 'one', by: 'key_1' }] });
    expect(Date.parse(first.autoReleaseAt ?? '') - Date.parse(first.submittedAt ?? '')).toBe(14 * 86_400_000);
    const changed = (await order.change('a')).milestone;
    expect(changed).toEqual({ ...first, status: 'OPEN', autoReleaseAt: null });
    orders.clock.advance(60_000);
    const second = (await order.submit('a')).milestone;
    expect(second.autoReleaseAt).not.toBe(first.autoReleaseAt);
    expect(order.events().slice(-3)).toEqual(['milestone.submitted', 'milestone.changes_requested', 'milestone.submitted']);
    expect(order.audits().slice(-3)).toEqual(['MILESTONE_SUBMITTED', 'MILESTONE_CHANGES_REQUESTED', 'MILESTONE_SUBMITTED']);
  });

  it('is extended to a later time, at most 30 days after its first end', async () => {
    const order = await anOrder({ reviewPeriod: 'P14D' });
    const { autoReleaseAt } = (await order.submit('a')).milestone;
    const daysLater = (days: number): `${string}Z` =>
      `${new Date(Date.parse(autoReleaseAt ?? '') + days * 86_400_000).toISOString().slice(0, -1)}000Z`;
    expect((await order.extend('a', daysLater(10))).milestone.autoReleaseAt).toBe(daysLater(10));
    for (const wrong of [daysLater(10), daysLater(5), daysLater(31), daysLater(-20)])
      expect((await refusalOf(order.extend('a', wrong)))[0]).toBe('VALIDATION_ERROR');
    expect(order.events().at(-1)).toBe('milestone.review_extended');
    const without = await anOrder();
    await without.submit('a');
    expect((await refusalOf(without.extend('a', daysLater(1))))[0]).toBe('INVALID_STATE');
  });

  it('ends with a completion or a dispute', async () => {
    const order = await anOrder({ reviewPeriod: 'P14D' });
    await order.submit('a');
    await order.submit('b');
    expect((await order.complete('a')).milestone.autoReleaseAt).toBeNull();
    expect((await order.dispute('b')).milestone.autoReleaseAt).toBeNull();
  });
});
