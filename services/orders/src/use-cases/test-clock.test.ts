import { escrowSettlementFailed, escrowSettlementRequested } from '@holdfast/contracts/messages';
import { defaultMarketplaceId } from '@holdfast/kernel/ids';
import { instantAfter, instantBefore, type Duration } from '@holdfast/kernel/instants';
import { refusalOf } from '@holdfast/testing/memory';
import { memoryOrders, stepsUntil, type MemoryOrders } from '../testing/memory-orders.js';
import { escrowIdOf, reply } from '../testing/simulated-services.js';
import { addDisputeEvidence } from './add-dispute-evidence.js';
import { extendMilestoneReview } from './extend-milestone-review.js';
import { fireDueTimers } from './fire-due-timers.js';
import { fireTimersOfClocks } from './fire-timers-of-clocks.js';
import { getDispute } from './get-dispute.js';
import { getTestClock } from './get-test-clock.js';
import { openDispute } from './open-dispute.js';
import { disputeRecordIn } from './records.js';
import { submitMilestone } from './submit-milestone.js';

const daySeconds = 86_400;
const other = 'mkt_other';
const { signal } = new AbortController();

let orders: MemoryOrders;
beforeEach(() => {
  orders = memoryOrders();
});
afterEach(() => orders.idle());

const timerContext = () => orders.by({ type: 'timer', id: 'timer' });
const reported = (marketplaceId: typeof defaultMarketplaceId | typeof other = defaultMarketplaceId) =>
  getTestClock(orders.deps, marketplaceId);

/** The message of identity. */
function advanced(days: number, marketplaceId: string = defaultMarketplaceId, id: string = orders.deps.newId('evt')) {
  const message = { id, payload: { marketplaceId, offsetSeconds: days * daySeconds } };
  return orders.deps.testClocks.handleAdvanced(message as never, orders.by());
}

/** What the jobs of the service do until no clock can move. */
async function settle(): Promise<void> {
  do {
    await fireTimersOfClocks(orders.deps, { contextOf: timerContext, signal });
    await orders.idle();
  } while (((await orders.deps.testClocks.nextStepInMs()) ?? 1) <= 0 && (await isMovable()));
}

async function isMovable(): Promise<boolean> {
  const { remaining } = await reported();
  const { standsAt } = await orders.deps.testClocks.find(defaultMarketplaceId);
  return standsAt !== null && remaining.every(({ dueAt }) => dueAt !== null && dueAt > standsAt);
}

async function advance(days: number): Promise<void> {
  await advanced(days);
  await settle();
}

const milestones = [
  { ref: 'draft', title: 'Draft', amount: '40.00' },
  { ref: 'final', title: 'Final', amount: '60.00' },
];

async function aReview(reviewPeriod: Duration) {
  const { id } = await orders.anOrderAfter(stepsUntil.inProgress, { milestones, releaseMode: 'milestone', reviewPeriod });
  const { milestone } = await submitMilestone(orders.deps, { id, ref: 'draft' }, orders.by());
  const statusNow = async () => (await orders.orderNow(id)).milestones[0]?.status;
  return { id, milestone, statusNow };
}

/** The payloads of these events, in the order of publishing. */
function eventsOf(types: readonly string[]): readonly Readonly<Record<string, unknown>>[] {
  return [...orders.ports.committed().outbox.values()]
    .filter(({ type }) => types.includes(type))
    .map(({ type, payload }) => ({ type, ...(payload as object) }));
}

function failNextSettlement(orderId: string): void {
  const fields = { orderId, escrowId: escrowIdOf(orderId), reason: 'the provider is down', isDisputed: false };
  orders.simulated.replyNextWith(orderId, escrowSettlementRequested, () => [reply(escrowSettlementFailed, fields as never)]);
}

describe('a test clock that is advanced over several timers', () => {
  it('fires them one by one in the order of their times, each after what the one before has begun', async () => {
    const [late, early] = [await aReview('P9D'), await aReview('P3D')];
    await advance(14);
    expect(await Promise.all([early.statusNow(), late.statusNow()])).toEqual(['RELEASED', 'RELEASED']);
    const released = eventsOf(['audit.recorded']).filter(({ action }) => action === 'MILESTONE_RELEASED');
    const { id: one } = early;
    const { id: two } = late;
    expect(
      released.map(({ resourceId, relatedIds }) => [resourceId, relatedIds].flat().find((id) => id === one || id === two)),
    ).toEqual([one, two]);
    const fired = eventsOf(['milestone.release_due_soon', escrowSettlementRequested.type, 'audit.recorded'])
      .filter(({ type, action }) => type !== 'audit.recorded' || action === 'MILESTONE_RELEASED')
      .map(({ type }) => type);
    const each = ['milestone.release_due_soon', escrowSettlementRequested.type, 'audit.recorded'];
    expect(fired).toEqual([...each, ...each]);
    expect(await reported()).toEqual({ offsetSeconds: 14 * daySeconds, remaining: [] });
  });

  it('shows each its own time as now', async () => {
    const { milestone } = await aReview('P3D');
    const dueAt = milestone.autoReleaseAt ?? '';
    await advance(14);
    const [announced] = eventsOf(['milestone.release_due_soon']);
    expect(announced).toMatchObject({ at: instantBefore(dueAt as never, 'P1D'), dueAt });
  });

  it('does not fire what is due later', async () => {
    const { statusNow, milestone } = await aReview('P14D');
    await advance(13);
    expect(await statusNow()).toBe('SUBMITTED');
    expect(milestone.autoReleaseAt).toBe(instantAfter(orders.clock.now(), 'P14D'));
    orders.clock.advance(daySeconds * 1_000);
    await settle();
    expect(await statusNow()).toBe('RELEASED');
  });

  it('waits for a payout that has failed, and continues when it succeeds', async () => {
    const [early, late] = [await aReview('P3D'), await aReview('P9D')];
    failNextSettlement(early.id);
    await advance(14);
    expect(await Promise.all([early.statusNow(), late.statusNow()])).toEqual(['SUBMITTED', 'SUBMITTED']);
    const { offsetSeconds, remaining } = await reported();
    expect([offsetSeconds, remaining.length]).toEqual([0, 3]);
    expect(remaining).toContainEqual({ kind: 'review', id: `${early.id} draft`, dueAt: early.milestone.autoReleaseAt });
    expect(remaining).toContainEqual({ kind: 'review', id: `${late.id} draft`, dueAt: late.milestone.autoReleaseAt });
    orders.clock.advance(5_000);
    await fireDueTimers(orders.deps, { contextOf: timerContext, signal });
    await orders.idle();
    await settle();
    expect(await Promise.all([early.statusNow(), late.statusNow()])).toEqual(['RELEASED', 'RELEASED']);
    expect((await reported()).remaining).toEqual([]);
  });

  it('leaves held timers behind, and they fire when their reason ends', async () => {
    const { statusNow } = await aReview('P3D');
    await orders.deps.handleStopChanged({ payload: { isStopped: true } } as never, orders.by());
    await advance(14);
    expect([await statusNow(), (await reported()).remaining]).toEqual(['SUBMITTED', []]);
    await orders.deps.handleStopChanged({ payload: { isStopped: false } } as never, orders.by());
    await fireDueTimers(orders.deps, { contextOf: timerContext, signal });
    await orders.idle();
    expect(await statusNow()).toBe('RELEASED');
  });

  it('does not wait for a grace period: a clock does not count as an outage', async () => {
    const { statusNow } = await aReview('P3D');
    orders.clock.advance(7_200_000); // the platform was away
    await fireDueTimers(orders.deps, { contextOf: timerContext, signal });
    await advance(14);
    expect(await statusNow()).toBe('RELEASED');
  });
});

describe('the clock of a marketplace', () => {
  it('never goes back: an older message and a second delivery change nothing', async () => {
    await advanced(14, defaultMarketplaceId, 'evt_14');
    await advanced(7);
    await advanced(14, defaultMarketplaceId, 'evt_14');
    await settle();
    expect((await reported()).offsetSeconds).toBe(14 * daySeconds);
  });

  it('is independent of other marketplaces', async () => {
    const { statusNow } = await aReview('P3D');
    await advanced(14, other);
    await fireTimersOfClocks(orders.deps, { contextOf: timerContext, signal });
    expect([await statusNow(), (await reported()).offsetSeconds]).toEqual(['SUBMITTED', 0]);
    expect((await reported(other)).offsetSeconds).toBe(14 * daySeconds);
  });

  it('sets the times of reviews, extensions and evidence, and what is done keeps the real one', async () => {
    await advance(14);
    const { id, milestone } = await aReview('P3D');
    const now = instantAfter(orders.clock.now(), 'P14D');
    expect(milestone).toMatchObject({ submittedAt: now, autoReleaseAt: instantAfter(now, 'P3D') });
    const extend = (until: string) =>
      extendMilestoneReview(orders.deps, { id, ref: 'draft', until: until as never }, orders.by());
    expect(await refusalOf(extend(instantAfter(orders.clock.now(), 'P10D')))).toMatchObject(['VALIDATION_ERROR', {}]);
    await extend(instantAfter(now, 'P4D'));
    const [submitted] = orders.eventsOf(id).filter(({ type }) => type === 'milestone.submitted');
    expect(submitted).toMatchObject({ occurredAt: orders.clock.now(), payload: { at: now } });
    await advance(18);
    expect((await orders.orderNow(id)).milestones[0]).toMatchObject({
      status: 'RELEASED',
      releasedAt: expect.stringMatching(/^2026-01-31T12:00:00/) as string,
    });
  });

  it('says whether a delivery date is in the future, and refunds at it', async () => {
    await advance(14);
    const within = (period: Duration) => instantAfter(orders.clock.now(), period);
    const undelivered = { milestones, onNotDelivered: 'refund' } as const;
    const past = orders.anOrder({ ...undelivered, deliverBy: within('P13D') });
    expect(await refusalOf(past)).toMatchObject(['VALIDATION_ERROR', {}]);
    const { id } = await orders.anOrderAfter(stepsUntil.inProgress, { ...undelivered, deliverBy: within('P20D') });
    await advance(19);
    expect((await orders.orderNow(id)).status).toBe('IN_PROGRESS');
    await advance(20);
    expect(await orders.orderNow(id)).toMatchObject({ status: 'CLOSED', closeReason: 'REFUNDED' });
  });

  it('sets and ends the deadlines of disputes: announced, then answered or overdue', async () => {
    const rules = { disputeResponsePeriod: 'P3D', disputeDecisionPeriod: 'P10D', onNoResponse: 'none' };
    const message = { id: 'evt_rules', aggregateVersion: 2, payload: { marketplaceId: defaultMarketplaceId, ...rules } };
    await orders.deps.handleMarketplaceChanged(message as never, orders.by());
    await advance(14);
    const { id: orderId } = await orders.anOrderAfter(stepsUntil.inProgress);
    const { id } = await openDispute(orders.deps, { orderId, openedBy: 'BUYER', reason: 'OTHER' }, orders.by());
    const now = instantAfter(orders.clock.now(), 'P14D');
    const dispute = async () => disputeRecordIn(await getDispute(orders.deps, { id }, orders.by()));
    const respondBy = instantAfter(now, 'P3D');
    expect(await dispute()).toMatchObject({ respondBy, decideBy: instantAfter(now, 'P10D'), createdAt: orders.clock.now() });
    const evidence = { id, by: 'SELLER', text: 'It was delivered.' } as const;
    await addDisputeEvidence(orders.deps, evidence, orders.by());
    expect((await dispute()).evidenceEntries).toMatchObject([{ at: now }]);
    await advance(40);
    const late = addDisputeEvidence(orders.deps, { ...evidence, text: 'Again.' }, orders.by());
    expect(await refusalOf(late)).toMatchObject(['INVALID_STATE', {}]);
    expect(eventsOf(['dispute.due_soon', 'dispute.overdue']).map(({ type, at }) => [type, at])).toEqual([
      ['dispute.due_soon', instantAfter(now, 'P2D')],
      ['dispute.due_soon', instantAfter(now, 'P9D')],
      ['dispute.overdue', instantAfter(now, 'P10D')],
    ]);
  });
});

describe('an order that was created before its marketplace had a test clock', () => {
  it('follows the clock from then on', async () => {
    const { id, statusNow } = await aReview('P30D');
    await advance(31);
    expect(await statusNow()).toBe('RELEASED');
    expect((await orders.orderNow(id)).status).toBe('IN_PROGRESS');
  });
});
