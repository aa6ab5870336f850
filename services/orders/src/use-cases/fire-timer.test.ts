import { escrowSettlementFailed, escrowSettlementRequested } from '@holdfast/contracts/messages';
import type { Duration } from '@holdfast/kernel/instants';
import { deliver } from '../testing/deliver.js';
import { memoryOrders, stepsUntil, type MemoryOrders } from '../testing/memory-orders.js';
import { escrowIdOf, reply } from '../testing/simulated-services.js';
import { completeMilestone } from './complete-milestone.js';
import { extendMilestoneReview } from './extend-milestone-review.js';
import { fireDueTimers } from './fire-due-timers.js';
import type { CreateOrder } from './new-order.js';
import { openDispute } from './open-dispute.js';
import { requestMilestoneChanges } from './request-milestone-changes.js';
import { submitMilestone } from './submit-milestone.js';

const minuteMs = 60_000;
const dayMs = 86_400_000;
const { signal } = new AbortController();

let orders: MemoryOrders;
beforeEach(() => {
  orders = memoryOrders();
});
afterEach(() => orders.idle());

const timerContext = () => orders.by({ type: 'timer', id: 'timer' });

async function fire(): Promise<void> {
  await fireDueTimers(orders.deps, { contextOf: timerContext, signal });
  await orders.idle();
}

/** Lets time pass while the platform is alive, and fires what is due then. */
async function pass(ms: number): Promise<void> {
  orders.clock.advance(ms);
  orders.keepAlive();
  await fire();
}

const two = [
  { ref: 'draft', title: 'Draft', amount: '40.00' },
  { ref: 'final', title: 'Final', amount: '60.00' },
];

async function anOrder(given: Partial<CreateOrder> = {}) {
  const { id } = await orders.anOrderAfter(stepsUntil.inProgress, { milestones: two, releaseMode: 'milestone', ...given });
  const on = (ref: string) => ({ id, ref });
  return {
    id,
    submit: (ref: string) => submitMilestone(orders.deps, on(ref), orders.by()),
    complete: (ref: string) => completeMilestone(orders.deps, on(ref), orders.by()),
    now: () => orders.orderNow(id),
    milestone: async (ref: string) => (await orders.orderNow(id)).milestones.find((each) => each.ref === ref),
    typesOf: () => orders.eventsOf(id).map(({ type }) => type),
    timers: () => [...orders.ports.committed().timers.values()].filter(({ orderId }) => orderId === id),
  };
}

const reviewed = { reviewPeriod: 'P3D' as Duration };

function failNextSettlement(orderId: string): void {
  const fields = { orderId, escrowId: escrowIdOf(orderId), reason: 'the provider is down', isDisputed: false };
  orders.simulated.replyNextWith(orderId, escrowSettlementRequested, () => [reply(escrowSettlementFailed, fields as never)]);
}

describe('a review of a milestone that ends in silence', () => {
  it('releases the milestone, never early and never twice, with the timer as the actor', async () => {
    const order = await anOrder(reviewed);
    await order.submit('draft');
    await pass(3 * dayMs - 1);
    expect(await order.milestone('draft')).toMatchObject({ status: 'SUBMITTED' });
    orders.clock.advance(1);
    await fire();
    await pass(dayMs);
    expect(await order.milestone('draft')).toMatchObject({ status: 'RELEASED', releasedAmount: '40.00' });
    expect(await order.milestone('final')).toMatchObject({ status: 'OPEN' });
    expect(order.typesOf().filter((type) => type === 'milestone.release_due_soon')).toHaveLength(1);
    expect(orders.lastOf(order.id, escrowSettlementRequested)).toMatchObject({
      payload: { milestoneRef: 'draft', cause: 'review_period' },
    });
    const released = orders.auditsOf(order.id).filter(({ action }) => action === 'MILESTONE_RELEASED');
    expect(released).toMatchObject([{ actorType: 'timer', actorId: 'timer' }]);
    expect(order.timers()).toEqual([]);
  });

  it('tries again after a payout that has failed, and not before its back-off', async () => {
    const order = await anOrder(reviewed);
    await order.submit('draft');
    failNextSettlement(order.id);
    await pass(3 * dayMs);
    expect(await order.milestone('draft')).toMatchObject({ status: 'SUBMITTED', operation: null });
    await fire();
    expect(await order.milestone('draft')).toMatchObject({ status: 'SUBMITTED' });
    await pass(minuteMs);
    expect(await order.milestone('draft')).toMatchObject({ status: 'RELEASED' });
  });

  it.each([
    [
      'a change request',
      (id: string) => requestMilestoneChanges(orders.deps, { id: id as never, ref: 'draft', reason: 'no' }, orders.by()),
    ],
    [
      'a dispute',
      (id: string) => openDispute(orders.deps, { orderId: id as never, openedBy: 'BUYER', reason: 'OTHER' }, orders.by()),
    ],
    ['a completion by hand', (id: string) => completeMilestone(orders.deps, { id: id as never, ref: 'draft' }, orders.by())],
  ])('does nothing after %s', async (_, act) => {
    const order = await anOrder(reviewed);
    await order.submit('draft');
    await pass(2 * dayMs);
    await act(order.id);
    expect(order.timers()).toEqual([]);
    await pass(3 * dayMs);
    expect(orders.lastOf(order.id, escrowSettlementRequested)).toBeUndefined();
  });

  it('ends later after an extension, which is announced again', async () => {
    const order = await anOrder(reviewed);
    await order.submit('draft');
    await pass(2 * dayMs + 1);
    const until = '2026-02-08T12:00:00.000000Z';
    await extendMilestoneReview(orders.deps, { id: order.id, ref: 'draft', until }, orders.by());
    await pass(5 * dayMs);
    expect(await order.milestone('draft')).toMatchObject({ status: 'SUBMITTED', autoReleaseAt: until });
    await pass(dayMs);
    expect(await order.milestone('draft')).toMatchObject({ status: 'RELEASED' });
    expect(order.typesOf().filter((type) => type === 'milestone.release_due_soon')).toHaveLength(2);
  });

  it('announces at once that less than a day is left', async () => {
    const order = await anOrder({ reviewPeriod: 'PT2H' });
    await order.submit('draft');
    await fire();
    expect(order.typesOf()).toContain('milestone.release_due_soon');
  });
});

describe('reviews of an order that is paid as a whole', () => {
  const whole = { ...reviewed, releaseMode: 'order' } as const;

  it('release it when the last one ends', async () => {
    const order = await anOrder(whole);
    await order.submit('draft');
    await pass(dayMs);
    await order.submit('final');
    await pass(2 * dayMs);
    expect(await order.milestone('draft')).toMatchObject({ status: 'SUBMITTED', autoReleaseAt: null });
    expect((await order.now()).status).toBe('IN_PROGRESS');
    await pass(dayMs);
    expect(await order.now()).toMatchObject({ status: 'CLOSED', closeReason: 'RELEASED' });
    expect(order.typesOf().filter((type) => type === 'escrow.milestone_completed')).toHaveLength(2);
    const requested = orders.eventsOf(order.id).find(({ type }) => type === 'order.release_requested');
    expect(requested?.payload).toMatchObject({ requestedBy: 'timer', cause: 'review_period' });
  });

  it('release it beside a milestone that was completed by hand', async () => {
    const order = await anOrder(whole);
    await order.complete('draft');
    await order.submit('final');
    await pass(3 * dayMs);
    expect((await order.now()).status).toBe('CLOSED');
  });

  it('release nothing while another milestone is open, also not when that one is completed by hand', async () => {
    const order = await anOrder(whole);
    await order.submit('draft');
    await pass(4 * dayMs);
    expect(order.timers()).toEqual([]);
    await order.complete('final');
    await order.complete('draft');
    await pass(4 * dayMs);
    expect((await order.now()).status).toBe('IN_PROGRESS');
  });

  it('try again after a release that has failed', async () => {
    const order = await anOrder(whole);
    await order.complete('draft');
    await order.submit('final');
    failNextSettlement(order.id);
    await pass(3 * dayMs);
    expect(await order.now()).toMatchObject({ status: 'IN_PROGRESS', operation: null });
    await pass(minuteMs);
    expect((await order.now()).status).toBe('CLOSED');
  });
});

describe('a delivery date', () => {
  const deliverBy = '2026-02-05T12:00:00.000000Z';
  const undelivered = { deliverBy, onNotDelivered: 'refund' } as const;

  it('refunds an order for which nothing was delivered', async () => {
    const order = await anOrder(undelivered);
    await pass(5 * dayMs);
    expect(await order.now()).toMatchObject({ status: 'CLOSED', closeReason: 'REFUNDED' });
    const requested = orders.eventsOf(order.id).find(({ type }) => type === 'order.refund_requested');
    expect(requested?.payload).toMatchObject({ requestedBy: 'timer', cause: 'not_delivered' });
  });

  it('does nothing once something was submitted, even if changes were requested', async () => {
    const order = await anOrder(undelivered);
    await order.submit('draft');
    await requestMilestoneChanges(orders.deps, { id: order.id, ref: 'draft', reason: 'no' }, orders.by());
    await pass(6 * dayMs);
    expect((await order.now()).status).toBe('IN_PROGRESS');
  });

  it('does nothing for an order that is funded later', async () => {
    const { id } = await orders.anOrder({ milestones: two, ...undelivered });
    await pass(6 * dayMs);
    for (const step of stepsUntil.inProgress) await orders.do(id, step);
    await pass(dayMs);
    expect((await orders.orderNow(id)).status).toBe('IN_PROGRESS');
  });
});

describe('a timer that would pay out', () => {
  const stop = (isStopped: boolean) => orders.deps.handleStopChanged({ payload: { isStopped } } as never, orders.by());
  const heldOf = (order: Awaited<ReturnType<typeof anOrder>>) => order.timers().map(({ heldReason }) => heldReason);

  it('is held by the emergency stop and fires when it ends', async () => {
    const order = await anOrder(reviewed);
    await order.submit('draft');
    await stop(true);
    await pass(4 * dayMs);
    expect(heldOf(order)).toEqual(['EMERGENCY_STOP']);
    await stop(false);
    await fire();
    expect(await order.milestone('draft')).toMatchObject({ status: 'RELEASED' });
  });

  it('is held by a suspended party and fires when the user is active again', async () => {
    const order = await anOrder(reviewed);
    await order.submit('draft');
    const { sellerId } = await order.now();
    const suspend = async (status: 'ACTIVE' | 'SUSPENDED', aggregateVersion: number) => {
      const payload = { userId: sellerId, externalUserId: 'x', type: 'BOTH', status };
      const about = { aggregateType: 'User', aggregateId: sellerId, aggregateVersion, marketplaceId: 'mkt_default' } as const;
      const message = { id: orders.deps.newId('evt'), type: 'user.changed', version: 1, occurredAt: orders.clock.now() } as const;
      await deliver(orders.deps, { ...message, ...about, correlationId: 'test', payload }, orders.by({ type: 'system' }));
    };
    await suspend('SUSPENDED', 2);
    await pass(4 * dayMs);
    expect(heldOf(order)).toEqual(['SUSPENDED_PARTY']);
    await suspend('ACTIVE', 3);
    await fire();
    expect(await order.milestone('draft')).toMatchObject({ status: 'RELEASED' });
  });

  it('does not fire after an outage before the grace period has passed: the review ends with it', async () => {
    const order = await anOrder(reviewed);
    await order.submit('draft');
    await fire();
    orders.clock.advance(4 * dayMs);
    const back = orders.clock.now();
    await fire();
    const milestone = await order.milestone('draft');
    expect(milestone).toMatchObject({ status: 'SUBMITTED', autoReleaseAt: back.replace('02-04', '02-05') });
    const extended = orders.eventsOf(order.id).find(({ type }) => type === 'milestone.review_extended');
    expect(extended?.payload).toMatchObject({ cause: 'outage', dueAt: milestone?.autoReleaseAt });
    await pass(dayMs);
    expect(await order.milestone('draft')).toMatchObject({ status: 'RELEASED' });
  });

  it('holds a refund after an outage until the grace period has passed', async () => {
    const order = await anOrder({ deliverBy: '2026-02-03T12:00:00.000000Z', onNotDelivered: 'refund' });
    await fire();
    orders.clock.advance(4 * dayMs);
    await fire();
    expect([heldOf(order), (await order.now()).status]).toEqual([['OUTAGE'], 'IN_PROGRESS']);
    await pass(dayMs);
    expect((await order.now()).status).toBe('CLOSED');
  });

  it('does not fire early when the clock was set back', async () => {
    const order = await anOrder(reviewed);
    await order.submit('draft');
    await pass(3 * dayMs - minuteMs);
    orders.clock.advance(-2 * dayMs);
    await pass(2 * dayMs);
    expect(await order.milestone('draft')).toMatchObject({ status: 'SUBMITTED' });
    await pass(minuteMs);
    expect(await order.milestone('draft')).toMatchObject({ status: 'RELEASED' });
  });
});
