import * as message from '@holdfast/contracts/messages';
import { refusalOf } from '@holdfast/testing/memory';
import { memoryOrders, stepsUntil, type MemoryOrders } from '../testing/memory-orders.js';
import { anInstant, escrowIdOf, paidOut, reply, type Responder } from '../testing/simulated-services.js';
import { completeMilestone } from './complete-milestone.js';
import { requestRefund } from './request-refund.js';

let orders: MemoryOrders;
beforeEach(() => {
  orders = memoryOrders();
});
afterEach(() => orders.idle());

const silent: Responder = () => [];
const reason = 'the network is down';
const fails =
  (isDisputed: boolean): Responder =>
  ({ escrowId, orderId }) => [reply(message.escrowSettlementFailed, { escrowId, orderId, reason, isDisputed })];
const typesOf = (id: string) => orders.eventsOf(id).map(({ type }) => type);
const lastAudit = (id: string) => orders.auditsOf(id).at(-1);
const anOrderInProgress = () => orders.anOrderAfter(stepsUntil.inProgress);
const replyNextWith = (id: string, responder: Responder) =>
  orders.simulated.replyNextWith(id, message.escrowSettlementRequested, responder);

function releasedPayload(id: `ord_${string}`, sellerId: `usr_${string}`) {
  const of = { escrowId: escrowIdOf(id), orderId: id, amount: '100.00', currency: 'USD' } as const;
  return { ...of, sellerId, platformFee: '5.00', netAmount: '95.00', releasedAt: anInstant };
}

function settledPayload(id: string, userId: `usr_${string}`, amount = '95.00', fee = '5.00') {
  return { orderId: id, currency: 'USD' as const, fee, payouts: [{ userId, amount, newAvailableBalance: '95.00' }] };
}

describe('a release', () => {
  it('pays the seller less the fee; the order is closed once contract and ledger have paid', async () => {
    const { id, sellerId } = await anOrderInProgress();
    const closed = await orders.do(id, 'release');
    expect(closed).toMatchObject({
      status: 'CLOSED',
      closeReason: 'RELEASED',
      escrow: { status: 'RELEASED', releasedAt: anInstant },
    });
    expect(orders.lastOf(id, message.escrowSettlementRequested)).toMatchObject({
      saga: 'release',
      payload: { decision: 'RELEASE', sellerAmount: '100.00', buyerAmount: '0.00', platformFee: '5.00' },
    });
    expect(typesOf(id).slice(-3)).toEqual(['order.release_requested', 'order.released', 'order.closed']);
    const released = { sellerId, amount: '100.00', platformFee: '5.00', netAmount: '95.00', newSellerBalance: '195.00' };
    expect(orders.lastOf(id, message.orderReleased)?.payload).toMatchObject(released);
    expect(
      orders
        .auditsOf(id)
        .slice(-3)
        .map(({ action }) => action),
    ).toEqual(['RELEASE_REQUESTED', 'RELEASED', 'CLOSED']);
  });

  it('INVALID_STATE with the open milestones until all are completed', async () => {
    const milestones = ['a', 'b'].map((ref) => ({ ref, title: ref, amount: '50.00' }));
    const { id } = await orders.anOrderAfter(stepsUntil.inProgress, { milestones });
    const complete = (ref: string) => completeMilestone(orders.deps, { id, ref }, orders.by());
    expect(await complete('a')).toMatchObject({ milestone: { ref: 'a', status: 'COMPLETED' } });
    expect(await refusalOf(orders.do(id, 'release'))).toMatchObject(['INVALID_STATE', { incompleteMilestones: ['b'] }]);
    expect((await refusalOf(complete('a')))[0]).toBe('INVALID_STATE');
    expect((await refusalOf(complete('z')))[0]).toBe('MILESTONE_NOT_FOUND');
    await complete('b');
    expect((await orders.do(id, 'release')).status).toBe('CLOSED');
    expect(typesOf(id).filter((type) => type === 'escrow.milestone_completed')).toHaveLength(2);
  });
});

describe('a refund', () => {
  it('pays the buyer everything, without a fee, and audits its reason', async () => {
    const { id } = await anOrderInProgress();
    await requestRefund(orders.deps, { orderId: id, reason: 'cannot deliver' }, orders.by());
    const events = orders.eventsOf(id);
    expect(typesOf(id).slice(-3)).toEqual(['order.refund_requested', 'order.refunded', 'order.closed']);
    expect(events.at(-2)?.payload).toMatchObject({ amount: '100.00', newBuyerBalance: '500.00' });
    expect(events.at(-1)?.payload).toMatchObject({ finalStatus: 'REFUNDED' });
    const parts = { decision: 'REFUND', sellerAmount: '0.00', buyerAmount: '100.00', platformFee: '0.00' };
    expect(orders.lastOf(id, message.escrowSettlementRequested)?.payload).toMatchObject(parts);
    expect(orders.auditsOf(id).find(({ action }) => action === 'REFUND_REQUESTED')?.reason).toBe('cannot deliver');
  });
});

describe('a settlement that fails', () => {
  it.each([
    ['release', 'RELEASE_FAILED', 'RELEASED'],
    ['refund', 'REFUND_FAILED', 'REFUNDED'],
  ] as const)('%s: INTERNAL_ERROR returns the order to IN_PROGRESS, and the next attempt works', async (step, action, end) => {
    const { id } = await anOrderInProgress();
    replyNextWith(id, fails(false));
    expect(await refusalOf(orders.do(id, step))).toEqual(['INTERNAL_ERROR', { reason, orderStatus: 'IN_PROGRESS' }]);
    expect(await orders.orderNow(id)).toMatchObject({ status: 'IN_PROGRESS', escrow: { status: 'FUNDED' } });
    expect(lastAudit(id)).toMatchObject({ action, result: 'FAILURE', after: { status: 'IN_PROGRESS' } });
    expect(await orders.do(id, step)).toMatchObject({ status: 'CLOSED', closeReason: end, escrow: { status: end } });
    expect((await refusalOf(orders.do(id, step)))[0]).toBe('INVALID_STATE');
  });

  it.each([
    ['refund', 'REFUNDED'],
    ['release', 'RELEASED'],
  ] as const)('after it has disputed the contract: the escrow is DISPUTED, and a %s is still possible', async (step, end) => {
    const { id } = await anOrderInProgress();
    replyNextWith(id, fails(true));
    expect((await refusalOf(orders.do(id, 'refund')))[0]).toBe('INTERNAL_ERROR');
    expect(await orders.orderNow(id)).toMatchObject({ status: 'IN_PROGRESS', dispute: null, escrow: { status: 'DISPUTED' } });
    expect(lastAudit(id)).toMatchObject({
      action: 'REFUND_FAILED',
      after: { status: 'IN_PROGRESS', escrowStatus: 'DISPUTED' },
    });
    replyNextWith(id, fails(false));
    expect((await refusalOf(orders.do(id, step)))[0]).toBe('INTERNAL_ERROR');
    expect((await orders.orderNow(id)).escrow?.status).toBe('DISPUTED');
    expect(await orders.do(id, step)).toMatchObject({ status: 'CLOSED', closeReason: end, escrow: { status: end } });
  });

  it('after it has disputed the contract: a dispute can be opened', async () => {
    const { id } = await anOrderInProgress();
    replyNextWith(id, fails(true));
    await refusalOf(orders.do(id, 'refund'));
    await orders.do(id, 'dispute');
    expect(await orders.orderNow(id)).toMatchObject({ status: 'DISPUTED', escrow: { status: 'DISPUTED' } });
  });

  it('after the contract has paid is ignored', async () => {
    const { id, sellerId } = await anOrderInProgress();
    replyNextWith(id, (command) => paidOut(command).slice(0, 1));
    const release = orders.do(id, 'release');
    await orders.idle();
    const sagaRunId = orders.lastOf(id, message.escrowSettlementRequested)?.sagaRunId;
    const failed = { escrowId: escrowIdOf(id), orderId: id, reason: 'lost the response', isDisputed: false };
    await orders.simulated.publish(message.escrowSettlementFailed, failed, { sagaRunId });
    expect((await orders.orderNow(id)).status).toBe('RELEASE_REQUESTED');
    await orders.simulated.publish(message.balanceEscrowSettled, settledPayload(id, sellerId));
    expect(await release).toMatchObject({ status: 'CLOSED', closeReason: 'RELEASED' });
  });
});

describe('messages in another order', () => {
  it('the ledger before the contract: the order is closed once, after both', async () => {
    const { id } = await anOrderInProgress();
    replyNextWith(id, (command) => paidOut(command).toReversed());
    expect(await orders.do(id, 'release')).toMatchObject({ status: 'CLOSED', escrow: { releasedAt: anInstant } });
    expect(typesOf(id).filter((type) => type === 'order.released')).toHaveLength(1);
  });

  it('the ledger before the contract: the closing events follow the event of the ledger', async () => {
    const { id, sellerId } = await anOrderInProgress();
    replyNextWith(id, silent);
    const release = orders.do(id, 'release');
    await orders.idle();
    const settled = settledPayload(id, sellerId);
    await orders.simulated.publish(message.balanceEscrowSettled, settled, { afterEventId: 'evt_credited' });
    await orders.simulated.publish(message.escrowReleased, releasedPayload(id, sellerId));
    expect((await release).status).toBe('CLOSED');
    expect(orders.lastOf(id, message.orderReleased)?.afterEventId).toBe('evt_credited');
  });

  it('a payout before escrow.funded fails, so that it is delivered again', async () => {
    const { id, sellerId } = await orders.anOrderAfter(stepsUntil.escrowed);
    await orders.simulated.publish(message.escrowReleased, releasedPayload(id, sellerId));
    await expect(orders.idle()).rejects.toThrow('was paid out before it was funded');
    expect((await orders.orderNow(id)).status).toBe('ESCROW_FUNDING');
  });

  it('every message again, with its old id and with a new one, changes nothing', async () => {
    const { id } = await anOrderInProgress();
    await orders.do(id, 'release');
    const before = orders.ports.committed();
    for (const published of [...orders.simulated.published]) {
      await orders.simulated.republish(published);
      await orders.simulated.republish({ ...published, id: `${published.id}X` as message.Envelope['id'] });
    }
    expect([orders.ports.committed().orders, orders.ports.committed().outbox]).toEqual([before.orders, before.outbox]);
  });
});

describe('a contract that was paid out outside the platform', () => {
  it('takes an order from IN_PROGRESS to CLOSED', async () => {
    const { id, sellerId } = await anOrderInProgress();
    await orders.simulated.publish(message.escrowReleased, releasedPayload(id, sellerId));
    await orders.simulated.publish(message.balanceEscrowSettled, settledPayload(id, sellerId));
    expect(await orders.orderNow(id)).toMatchObject({
      status: 'CLOSED',
      closeReason: 'RELEASED',
      escrow: { status: 'RELEASED', releasedAt: anInstant },
    });
    expect(typesOf(id).slice(-2)).toEqual(['order.released', 'order.closed']);
    expect(lastAudit(id)).toMatchObject({ action: 'CLOSED', actorType: 'system', actorId: 'ledger-network' });
  });

  it('resolves the dispute that was about it', async () => {
    const { id, buyerId } = await orders.anOrderAfter(stepsUntil.disputed);
    const of = { escrowId: escrowIdOf(id), orderId: id, amount: '100.00', currency: 'USD' } as const;
    await orders.simulated.publish(message.escrowRefunded, { ...of, buyerId, refundedAt: anInstant });
    await orders.simulated.publish(message.balanceEscrowSettled, settledPayload(id, buyerId, '100.00', '0.00'));
    expect(await orders.orderNow(id)).toMatchObject({
      closeReason: 'REFUNDED',
      escrow: { status: 'REFUNDED' },
      dispute: { status: 'RESOLVED', resolutionDecision: 'FULL_REFUND', refundAmount: '100.00', resolvedBy: 'ledger-network' },
    });
  });

  it('INVALID_STATE for a request to pay it the other way', async () => {
    const { id, sellerId } = await anOrderInProgress();
    replyNextWith(id, silent);
    const refund = refusalOf(orders.do(id, 'refund'));
    await orders.idle();
    await orders.simulated.publish(message.balanceEscrowSettled, settledPayload(id, sellerId));
    await orders.simulated.publish(message.escrowReleased, releasedPayload(id, sellerId));
    const details = { currentStatus: 'CLOSED', allowedStatuses: ['IN_PROGRESS'], closeReason: 'RELEASED' };
    expect(await refund).toEqual(['INVALID_STATE', details]);
    expect(await orders.orderNow(id)).toMatchObject({ status: 'CLOSED', closeReason: 'RELEASED' });
  });
});

describe('a contradicted settlement', () => {
  it('of an order that is closed is alerted and audited', async () => {
    const inc = jest.fn();
    orders = memoryOrders({ settlementsContradicted: { inc } });
    const { id } = await anOrderInProgress();
    await orders.do(id, 'refund');
    const payload = { orderId: id, currency: 'USD', reason: 'paid in another way' } as const;
    await orders.simulated.publish(message.balanceSettlementContradicted, payload, { saga: 'release' });
    expect(orders.log.lines.filter(({ level }) => level === 'error')).toMatchObject([{ fact: 'settlement contradicted' }]);
    expect(inc).toHaveBeenCalledTimes(1);
    expect(lastAudit(id)).toMatchObject({ action: 'SETTLEMENT_CONTRADICTED', result: 'FAILURE', reason: payload.reason });
    expect(await orders.orderNow(id)).toMatchObject({ status: 'CLOSED', closeReason: 'REFUNDED' });
  });
});
