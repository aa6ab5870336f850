import type { Milestone, Order } from '@holdfast/sdk';
import { milestoneStatuses, orderStatuses } from '../../generated/states.js';
import { milestoneActions, orderActions } from './allowed-actions.js';

type OrderState = Parameters<typeof milestoneActions>[0];

const escrow = {} as NonNullable<Order['escrow']>;
const anOrder = (given: Partial<OrderState>): OrderState => ({
  status: 'IN_PROGRESS',
  operation: null,
  escrow,
  milestones: [],
  releaseMode: 'order',
  ...given,
});
const aMilestone = (given: Partial<Milestone>) =>
  ({ status: 'OPEN', operation: null, autoReleaseAt: null, ...given }) as Milestone;

describe('the actions of an order', () => {
  it.each([
    ['ORDER_CREATED', null, ['reserve', 'cancel']],
    ['FUNDS_RESERVED', null, ['createEscrow', 'cancel']],
    ['FUNDS_RESERVED', escrow, ['fundEscrow', 'cancel']],
    ['ESCROW_FUNDING', escrow, ['fundEscrow']],
    ['IN_PROGRESS', escrow, ['release', 'refund', 'dispute']],
  ] as const)('in %s are what its state table allows', (status, given, actions) => {
    expect(orderActions(anOrder({ status, escrow: given }))).toEqual(actions);
  });

  it.each(orderStatuses)('in %s are none while the platform carries something out', (status) => {
    const operation = { name: 'release', startedAt: '2026-01-31T12:00:00Z' } as const;
    expect(orderActions(anOrder({ status, operation }))).toEqual([]);
  });

  it('are none once it is paid out, disputed or closed', () => {
    const over = ['RELEASE_REQUESTED', 'REFUND_REQUESTED', 'RELEASED', 'REFUNDED', 'DISPUTED', 'CLOSED'] as const;
    expect(over.flatMap((status) => orderActions(anOrder({ status })))).toEqual([]);
  });

  it('do not release it before every milestone is completed', () => {
    const milestones = [aMilestone({ status: 'COMPLETED' }), aMilestone({ status: 'SUBMITTED' })];
    expect(orderActions(anOrder({ milestones }))).toEqual(['refund', 'dispute']);
  });

  it('leave it alone while a milestone is disputed', () => {
    expect(orderActions(anOrder({ milestones: [aMilestone({ status: 'DISPUTED' })] }))).toEqual([]);
  });
});

describe('the actions of a milestone', () => {
  it.each([
    ['OPEN', ['submit', 'complete', 'refund', 'dispute']],
    ['SUBMITTED', ['complete', 'requestChanges', 'release', 'refund', 'dispute']],
    ['COMPLETED', ['release', 'refund', 'dispute']],
    ['DISPUTED', []],
    ['RELEASED', []],
  ] as const)('in %s are what its state table allows', (status, actions) => {
    const order = anOrder({ releaseMode: 'milestone' });
    expect(milestoneActions(order, aMilestone({ status }))).toEqual(actions);
  });

  it('pay nothing out where the order is released as a whole', () => {
    const offered = milestoneStatuses.flatMap((status) => milestoneActions(anOrder({}), aMilestone({ status })));
    expect(new Set(offered)).toEqual(new Set(['submit', 'complete', 'requestChanges']));
  });

  it('extend a review that runs', () => {
    const milestone = aMilestone({ status: 'SUBMITTED', autoReleaseAt: '2026-01-31T12:00:00Z' });
    expect(milestoneActions(anOrder({}), milestone)).toContain('extendReview');
  });

  it('are none unless the order is in progress and nothing runs on either', () => {
    const operation = { name: 'release-milestone', startedAt: '2026-01-31T12:00:00Z' } as const;
    expect(milestoneActions(anOrder({ status: 'DISPUTED' }), aMilestone({}))).toEqual([]);
    expect(milestoneActions(anOrder({}), aMilestone({ operation }))).toEqual([]);
  });
});
