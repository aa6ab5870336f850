import { aDispute, aMilestone, anActiveRun, anEscrow, anOrder } from '../testing/an-order.js';
import { disputeStatuses } from './dispute-states.js';
import { milestoneStatuses } from './milestone-states.js';
import type { Dispute, Milestone, Order } from './order.js';
import { orderStatuses } from './order-states.js';
import { timerChanges, timersOf } from './timers.js';

const at = '2026-01-31T12:00:00.000000Z';
const due = '2026-02-10T12:00:00.000000Z';
const dayBefore = '2026-02-09T12:00:00.000000Z';

function withMilestone(given: Partial<Milestone>, order: Partial<Order> = {}): Order {
  const milestones = [aMilestone('draft', { status: 'SUBMITTED', submittedAt: at, autoReleaseAt: due, ...given })];
  return anOrder({ status: 'IN_PROGRESS', escrow: anEscrow(), milestones, ...order });
}

const withDispute = (given: Partial<Dispute>) => anOrder({ status: 'DISPUTED', escrow: anEscrow(), dispute: aDispute(given) });
const kindsOf = (order: Order) => timersOf(order).map(({ kind }) => kind);

describe('the timers of a review', () => {
  const review = { kind: 'review', subject: 'draft', dueAt: due };
  const notice = { kind: 'release-due-soon', subject: 'draft', dueAt: dayBefore };

  it.each(orderStatuses.flatMap((order) => milestoneStatuses.map((milestone) => [order, milestone] as const)))(
    'of an order in %s with a milestone in %s are wanted only while the work is reviewed',
    (status, milestone) => {
      const isReviewed = status === 'IN_PROGRESS' && milestone === 'SUBMITTED';
      expect(timersOf(withMilestone({ status: milestone }, { status }))).toEqual(isReviewed ? [review, notice] : []);
    },
  );

  it('are not wanted without a review period', () => {
    expect(timersOf(withMilestone({ autoReleaseAt: null }))).toEqual([]);
  });

  it('announce each end of a review once', () => {
    expect(kindsOf(withMilestone({ noticedReleaseAt: due }))).toEqual(['review']);
    expect(kindsOf(withMilestone({ noticedReleaseAt: at }))).toEqual(['review', 'release-due-soon']);
  });

  it('stay while the payout runs, so that a payout which fails is tried again', () => {
    expect(timersOf(withMilestone({ noticedReleaseAt: due, activeRun: anActiveRun() }))).toEqual([review]);
  });

  it.each(['IN_PROGRESS', 'RELEASE_REQUESTED'] as const)(
    'stay for the last milestone that a review has approved, while the order is %s',
    (status) => {
      const order = withMilestone({ status: 'COMPLETED', autoReleaseAt: null, reviewEndedAt: due }, { status });
      expect(timersOf(order)).toEqual([review]);
    },
  );

  it('are over once the review has ended and another milestone is open', () => {
    expect(timersOf(withMilestone({ autoReleaseAt: null, reviewEndedAt: due }))).toEqual([]);
  });
});

describe('the timer of the delivery', () => {
  const undelivered = { deliverBy: due, onNotDelivered: 'refund' } as const;
  const untouched = { status: 'OPEN', submittedAt: null, autoReleaseAt: null } as const;

  it.each(orderStatuses)('is wanted in %s, unless the order is closed', (status) => {
    const order = withMilestone(untouched, { ...undelivered, status });
    expect(timersOf(order)).toEqual(status === 'CLOSED' ? [] : [{ kind: 'delivery', subject: '', dueAt: due }]);
  });

  it.each<[string, Order]>([
    ['something was submitted', withMilestone({ ...untouched, submittedAt: at }, undelivered)],
    ['something was completed', withMilestone({ ...untouched, completedAt: at }, undelivered)],
    ['something was paid', withMilestone({ ...untouched, status: 'REFUNDED' }, undelivered)],
    ['the date has passed without a refund', withMilestone(untouched, { ...undelivered, deliveryCheckedAt: due })],
    ['the order has no rule', withMilestone(untouched, { deliverBy: due })],
  ])('is not wanted once %s', (_, order) => {
    expect(timersOf(order)).toEqual([]);
  });
});

describe('the timers of a dispute', () => {
  const both = { respondBy: due, decideBy: '2026-02-20T12:00:00.000000Z', onNoResponse: 'opener' } as const;

  it.each(disputeStatuses)('are wanted in %s, unless it is resolved', (status) => {
    const wanted = ['dispute-response', 'dispute-response-soon', 'dispute-decision', 'dispute-decision-soon'];
    expect(kindsOf(withDispute({ ...both, status }))).toEqual(status === 'RESOLVED' ? [] : wanted);
  });

  it('decide nothing by silence once the other side has responded, or without the rule', () => {
    const wanted = ['dispute-response-soon', 'dispute-decision', 'dispute-decision-soon'];
    expect(kindsOf(withDispute({ ...both, respondedAt: at }))).toEqual(wanted);
    expect(kindsOf(withDispute({ ...both, onNoResponse: 'none' }))).toEqual(wanted);
  });

  it('announce each deadline and the missed decision once', () => {
    const announced = { responseNoticedAt: at, decisionNoticedAt: at } as const;
    expect(kindsOf(withDispute({ ...both, ...announced }))).toEqual(['dispute-response', 'dispute-decision']);
    expect(kindsOf(withDispute({ ...both, ...announced, overdueAt: due }))).toEqual(['dispute-response']);
  });

  it('of a milestone are wanted beside the timers of the others', () => {
    const milestone = aMilestone('draft', { status: 'DISPUTED', disputeId: 'dsp_2' });
    const dispute = aDispute({ id: 'dsp_2', milestoneRef: 'draft', decideBy: due, decisionNoticedAt: at });
    const order = anOrder({ status: 'IN_PROGRESS', milestones: [milestone], milestoneDisputes: [dispute] });
    expect(timersOf(order)).toEqual([{ kind: 'dispute-decision', subject: 'dsp_2', dueAt: due }]);
  });
});

describe('a change of an order', () => {
  const reviewed = withMilestone({ noticedReleaseAt: due });

  it('sets the timers of a new state and cancels the timers of the earlier one', () => {
    const open = withMilestone({ status: 'OPEN', autoReleaseAt: null });
    expect(timerChanges(open, reviewed)).toEqual({ set: timersOf(reviewed), canceled: [] });
    expect(timerChanges(reviewed, open)).toEqual({ set: [], canceled: timersOf(reviewed) });
    expect(timerChanges(undefined, reviewed)).toEqual({ set: timersOf(reviewed), canceled: [] });
  });

  it('moves a timer whose time has changed, and leaves the others alone', () => {
    const later = withMilestone({ noticedReleaseAt: due, autoReleaseAt: '2026-02-11T12:00:00.000000Z' });
    expect(timerChanges(reviewed, later)).toMatchObject({
      set: [{ kind: 'review' }, { kind: 'release-due-soon' }],
      canceled: [],
    });
    expect(timerChanges(reviewed, { ...reviewed, title: 'Another' })).toEqual({ set: [], canceled: [] });
  });
});
