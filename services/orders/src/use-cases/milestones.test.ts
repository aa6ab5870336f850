import * as message from '@holdfast/contracts/messages';
import { refusalOf } from '@holdfast/testing/memory';
import { memoryOrders, type MemoryOrders } from '../testing/memory-orders.js';
import { anOrderOfThree, fails, threeMilestones as ofThree } from '../testing/milestone-calls.js';
import { reply, type Responder } from '../testing/simulated-services.js';
import { assignDispute } from './assign-dispute.js';
import type { CreateOrder } from './new-order.js';
import { openDispute } from './open-dispute.js';
import { requestResolution } from './request-resolution.js';

let orders: MemoryOrders;
beforeEach(() => {
  orders = memoryOrders();
});
afterEach(() => orders.idle());

const anOrder = (given: Partial<CreateOrder> = {}) => anOrderOfThree(orders, given);

describe('a milestone that is released on its own', () => {
  it('pays the seller its amount less its share of the fee, and leaves the order IN_PROGRESS', async () => {
    const order = await anOrder();
    await order.submit('a', { text: 'three drafts' });
    const released = await order.release('a');
    expect(released).toMatchObject({
      status: 'IN_PROGRESS',
      escrow: { status: 'FUNDED' },
      operation: null,
      amounts: { funded: '100.00', released: '30.01', refunded: '0.00', disputed: '0.00', inEscrow: '69.99' },
      milestone: { ref: 'a', status: 'RELEASED', releasedAmount: '30.01', refundedAmount: '0.00', operation: null },
    });
    expect(orders.lastOf(order.id, message.escrowSettlementRequested)).toMatchObject({
      saga: 'release-milestone',
      payload: { milestoneRef: 'a', amount: '30.01', decision: 'RELEASE', platformFee: '1.50', cause: null },
    });
    expect(order.audits().at(-1)).toBe('MILESTONE_RELEASED');
  });

  it('closes the order with the last one; the fees add up to the fee of the whole order', async () => {
    const order = await anOrder();
    for (const { ref } of ofThree) {
      await order.complete(ref);
      await order.release(ref);
    }
    const fees = orders.simulated.published
      .filter(({ type }) => type === message.escrowMilestoneSettled.type)
      .map(({ payload }) => (payload as { platformFee: string }).platformFee);
    expect(fees).toEqual(['1.50', '1.50', '2.00']);
    expect(await order.now()).toMatchObject({
      status: 'CLOSED',
      closeReason: 'RELEASED',
      escrow: { status: 'RELEASED' },
      amounts: { released: '100.00', inEscrow: '0.00' },
    });
    expect(order.events().slice(-2)).toEqual(['order.released', 'order.closed']);
    expect(orders.lastOf(order.id, message.orderReleased)?.payload).toMatchObject({ amount: '100.00', platformFee: '5.00' });
    expect(order.audits().slice(-4)).toEqual(['MILESTONE_RELEASED', 'RELEASE_REQUESTED', 'RELEASED', 'CLOSED']);
  });

  it('keeps its status and its review if the contract could not pay', async () => {
    const order = await anOrder({ reviewPeriod: 'P14D' });
    const { milestone } = await order.submit('a');
    order.silently(fails);
    expect((await refusalOf(order.release('a')))[0]).toBe('INTERNAL_ERROR');
    expect((await order.now()).milestones[0]).toEqual(milestone);
    expect(order.audits().at(-1)).toBe('MILESTONE_RELEASE_FAILED');
    expect((await order.release('a')).milestone.status).toBe('RELEASED');
  });

  it('is paid once, whichever of contract and ledger reports first and however often', async () => {
    const order = await anOrder();
    await order.complete('a');
    const reversed: Responder = (command) => [...paidOutFor(command)].toReversed();
    order.silently(reversed);
    await order.release('a');
    for (const published of orders.simulated.published.slice(-2)) await orders.simulated.republish(published);
    await orders.idle();
    expect((await order.now()).amounts.released).toBe('30.01');
    expect(order.audits().filter((action) => action === 'MILESTONE_RELEASED')).toHaveLength(1);
  });

  it('INVALID_STATE unless it is SUBMITTED or COMPLETED, and in releaseMode order', async () => {
    const order = await anOrder();
    expect(await refusalOf(order.release('a'))).toMatchObject(['INVALID_STATE', { currentStatus: 'OPEN' }]);
    expect((await refusalOf(order.release('z')))[0]).toBe('MILESTONE_NOT_FOUND');
    await order.complete('a');
    await order.release('a');
    expect(await refusalOf(order.release('a'))).toMatchObject(['INVALID_STATE', { currentStatus: 'RELEASED' }]);
    const whole = await anOrder({ releaseMode: 'order' });
    await whole.complete('a');
    for (const call of [whole.release, whole.refund, whole.dispute])
      expect(await refusalOf(call('a'))).toMatchObject(['INVALID_STATE', { releaseMode: 'order' }]);
  });
});

const paidOutFor: Responder = ({ decision: _decision, cause: _cause, ...paid }) => {
  const { orderId, milestoneRef, currency, sellerId, platformFee } = paid;
  const payouts = [{ userId: sellerId, amount: '28.51', newAvailableBalance: '28.51' }];
  return [
    reply(message.escrowMilestoneSettled, { ...paid, settledAt: '2026-01-31T12:00:00.123456Z' }),
    reply(message.balanceEscrowSettled, { orderId, milestoneRef, currency, fee: platformFee, payouts }),
  ];
};

describe('several calls at once', () => {
  it('on different milestones both win; on the same one the second is refused', async () => {
    const order = await anOrder();
    await order.complete('a');
    await order.complete('b');
    order.silently();
    const waiting = order.release('a');
    await orders.idle();
    const command = orders.lastOf(order.id, message.escrowSettlementRequested);
    expect((await order.now()).milestones[0]?.operation?.name).toBe('release-milestone');
    expect(await refusalOf(order.release('a'))).toMatchObject(['INVALID_STATE', { operation: 'release-milestone' }]);
    expect((await order.release('b')).milestone.status).toBe('RELEASED');
    expect(await order.refund('c')).toMatchObject({ status: 'IN_PROGRESS', milestone: { status: 'REFUNDED' } });

    for (const { declaration, payload } of paidOutFor(command?.payload))
      await orders.simulated.publish(declaration, payload, { saga: 'release-milestone', sagaRunId: command?.sagaRunId });
    expect(await waiting).toMatchObject({ status: 'CLOSED', closeReason: 'SPLIT', milestone: { status: 'RELEASED' } });
  });

  it('on a milestone and on the whole order exclude each other', async () => {
    const order = await anOrder();
    for (const { ref } of ofThree) await order.complete(ref);
    order.silently();
    order.release('a').catch(() => undefined);
    await orders.idle();
    for (const step of ['release', 'refund', 'dispute'] as const)
      expect(await refusalOf(orders.do(order.id, step))).toMatchObject(['INVALID_STATE', { operation: 'release-milestone' }]);

    const other = await anOrder();
    for (const { ref } of ofThree) await other.complete(ref);
    other.silently();
    orders.do(other.id, 'release').catch(() => undefined);
    await orders.idle();
    for (const call of [other.release, other.refund, other.dispute, other.submit])
      expect(await refusalOf(call('a'))).toMatchObject(['INVALID_STATE', { operation: 'release' }]);
  });
});

describe('the rest of an order', () => {
  it('is released with what is in escrow, once every other milestone is COMPLETED', async () => {
    const order = await anOrder();
    await order.refund('a');
    await order.complete('b');
    expect(await refusalOf(orders.do(order.id, 'release'))).toMatchObject(['INVALID_STATE', { incompleteMilestones: ['c'] }]);
    await order.complete('c');
    await orders.do(order.id, 'release');
    expect(orders.lastOf(order.id, message.escrowSettlementRequested)?.payload).toMatchObject({
      amount: '69.99',
      sellerAmount: '69.99',
      platformFee: '3.49',
    });
    expect(await order.now()).toMatchObject({
      closeReason: 'SPLIT',
      amounts: { released: '69.99', refunded: '30.01' },
      milestones: [{ status: 'REFUNDED' }, { status: 'RELEASED' }, { status: 'RELEASED' }],
    });
  });

  it('is refunded after a release: the order is RELEASED and closed as SPLIT', async () => {
    const order = await anOrder();
    await order.complete('a');
    await order.release('a');
    await orders.do(order.id, 'refund');
    expect(await order.now()).toMatchObject({
      status: 'CLOSED',
      closeReason: 'SPLIT',
      escrow: { status: 'RELEASED' },
      amounts: { released: '30.01', refunded: '69.99' },
    });
  });

  it('is split by a dispute about the whole order: milestones are filled in order, the seller first', async () => {
    const order = await anOrder();
    await order.refund('a');
    const { id } = await openDispute(orders.deps, { orderId: order.id, openedBy: 'BUYER', reason: 'OTHER' }, orders.by());
    expect((await order.now()).amounts).toMatchObject({ disputed: '69.99', inEscrow: '0.00' });
    await assignDispute(orders.deps, { id, assignedTo: 'agent-1' }, orders.by());
    const split = { id, decision: 'SPLIT', releaseAmount: '40.00' } as const;
    expect((await refusalOf(requestResolution(orders.deps, { ...split, refundAmount: '60.00' }, orders.by())))[0]).toBe(
      'INVALID_AMOUNT',
    );
    await requestResolution(orders.deps, { ...split, refundAmount: '29.99' }, orders.by());
    expect((await order.now()).milestones.map((each) => [each.status, each.releasedAmount, each.refundedAmount])).toEqual([
      ['REFUNDED', '0.00', '30.01'],
      ['RELEASED', '30.01', '0.00'],
      ['SPLIT', '9.99', '29.99'],
    ]);
  });

  it('INVALID_STATE with the disputed milestones while one is DISPUTED', async () => {
    const order = await anOrder();
    await order.dispute('b');
    for (const step of ['release', 'refund', 'dispute'] as const)
      expect(await refusalOf(orders.do(order.id, step))).toMatchObject(['INVALID_STATE', { disputedMilestones: ['b'] }]);
  });
});
