import { AppError, isAppError, type ErrorDetails } from '@holdfast/kernel/errors';
import { aDispute, aMilestone, anEscrow, anActiveRun, anOrder, usd } from '../testing/an-order.js';
import { assignDispute, startResolution, openDispute } from './dispute.js';
import { startEscrow, startFunding, requireEscrowCreation } from './escrow.js';
import { completeMilestone, milestoneSeen } from './milestones.js';
import { requireMove } from './move-order.js';
import type { Order } from './order.js';
import { escrowStatuses } from './escrow-states.js';
import { orderStatuses } from './order-states.js';
import { startRefund, startRelease, settlementFailed } from './settlement.js';

const at = '2026-01-31T12:00:00.000000Z';
const rules = { responsePeriod: null, decisionPeriod: null, onNoResponse: 'none' } as const;
const aNewDispute = { id: 'dsp_2', openedBy: 'BUYER', reason: 'OTHER', evidence: null, rules, now: at } as const;
const active = [
  { id: 'usr_buyer', isActive: true },
  { id: 'usr_seller', isActive: true },
];
const aSuspendedSeller = [active[0] ?? { id: '', isActive: true }, { id: 'usr_seller', isActive: false }];

function refusal(act: () => unknown): readonly unknown[] {
  try {
    act();
  } catch (error) {
    if (isAppError(error)) return [error.code, error.details];
    throw error;
  }
  return [];
}

describe('while a saga run is active', () => {
  const busy = anOrder({ status: 'IN_PROGRESS', activeRun: anActiveRun({ saga: 'refund' }) });
  it.each([
    ['reserve', () => requireMove(busy, 'reserve')],
    ['cancel', () => requireMove(busy, 'cancel')],
    ['escrow', () => requireEscrowCreation(busy, active)],
    ['fund', () => startFunding(busy)],
    ['release', () => startRelease(busy)],
    ['refund', () => startRefund(busy)],
    ['dispute', () => openDispute(busy, aNewDispute, at)],
    ['assign', () => assignDispute(busy, aDispute(), 'agent-2')],
    [
      'resolve',
      () => startResolution(busy, aDispute(), { decision: 'FULL_REFUND', release: undefined, refund: undefined, note: null }),
    ],
  ])('%s throws INVALID_STATE with the name of the saga, before every other rule', (_, act) => {
    expect(refusal(act)).toMatchObject(['INVALID_STATE', { operation: 'refund', currentStatus: 'IN_PROGRESS' }]);
  });
});

describe('INVALID_STATE', () => {
  const acts = {
    reserve: (order: Order) => requireMove(order, 'reserve'),
    cancel: (order: Order) => requireMove(order, 'cancel'),
    escrow: (order: Order) => requireEscrowCreation(order, aSuspendedSeller),
    fund: startFunding,
    release: startRelease,
    refund: startRefund,
    milestone: (order: Order) => completeMilestone(order, 'a', at),
    dispute: (order: Order) => openDispute(order, aNewDispute, at),
  };
  const escrows = [null, ...escrowStatuses.map((status) => anEscrow({ status }))];
  const runs = [null, anActiveRun({ saga: 'refund' })];
  const orders = orderStatuses.flatMap((status) =>
    escrows.flatMap((escrow) => runs.map((activeRun) => anOrder({ status, escrow, activeRun, milestones: [aMilestone('a')] }))),
  );

  it.each(Object.entries(acts))('of %s never says that an allowed status is not allowed', (_, act) => {
    const refusals = orders.flatMap((order) => {
      const [code, details] = refusal(() => act(order));
      return code === 'INVALID_STATE' ? [details] : [];
    });
    expect(refusals.length).toBeGreaterThan(0);
    for (const details of refusals) {
      const { message } = new AppError('INVALID_STATE', details as ErrorDetails);
      const [, current = 'none', allowed = ''] = /The status is (\w+), but must be (.+)\.$/.exec(message) ?? [];
      expect(allowed.split(' or ')).not.toContain(current);
      expect(details).toMatchObject({ currentStatus: expect.any(String), allowedStatuses: expect.any(Array) });
    }
  });
});

describe('escrow creation', () => {
  it('is checked in the order of the specification: state, escrow, parties, milestones', () => {
    const escrow = anEscrow({ status: 'CREATED' });
    const milestones = [aMilestone('a')];
    const wrong = { escrow, milestones };
    expect(refusal(() => requireEscrowCreation(anOrder(wrong), aSuspendedSeller))[0]).toBe('INVALID_STATE');
    const reserved = anOrder({ ...wrong, status: 'FUNDS_RESERVED' });
    expect(refusal(() => requireEscrowCreation(reserved, aSuspendedSeller))[0]).toBe('ESCROW_ALREADY_EXISTS');
    const free = { ...reserved, escrow: null };
    expect(refusal(() => requireEscrowCreation(free, aSuspendedSeller))).toEqual([
      'INTERNAL_ERROR',
      { reason: 'USER_NOT_ACTIVE', userId: 'usr_seller' },
    ]);
    expect(refusal(() => requireEscrowCreation(free, active))[1]).toEqual({ reason: 'MILESTONES_DO_NOT_ADD_UP' });
    expect(refusal(() => requireEscrowCreation({ ...free, milestones: [] }, active))).toEqual([]);
  });

  it.each([
    [[], 'single-release'],
    [[aMilestone('a', { amount: usd(100) })], 'single-release'],
    [[aMilestone('a'), aMilestone('b')], 'multi-release'],
  ])('has a contract type that follows from the milestones', (milestones, contractType) => {
    expect(startEscrow(anOrder({ status: 'FUNDS_RESERVED', milestones }), 'esc_9').escrow).toMatchObject({ contractType });
  });
});

describe('funding', () => {
  it.each(orderStatuses)('in %s is allowed only if it is ESCROW_FUNDING, or FUNDS_RESERVED with an escrow', (status) => {
    const created = anEscrow({ status: 'CREATED' });
    const isAllowed = status === 'ESCROW_FUNDING' || status === 'FUNDS_RESERVED';
    expect(refusal(() => startFunding(anOrder({ status, escrow: created }))).length === 0).toBe(isAllowed);
    const without = refusal(() => startFunding(anOrder({ status })));
    expect(without[0]).toBe(status === 'ESCROW_FUNDING' ? 'INTERNAL_ERROR' : 'INVALID_STATE');
  });
});

describe('a settlement', () => {
  const inProgress = anOrder({ status: 'IN_PROGRESS', escrow: anEscrow(), milestones: [aMilestone('a'), aMilestone('b')] });

  it('by release is checked in the order of the specification', () => {
    expect(refusal(() => startRelease(anOrder({ status: 'IN_PROGRESS' })))[0]).toBe('INVALID_STATE');
    expect(refusal(() => startRelease({ ...inProgress, status: 'DISPUTED' }))[0]).toBe('INVALID_STATE');
    expect(refusal(() => startRelease({ ...inProgress, dispute: aDispute() }))[0]).toBe('DISPUTE_ALREADY_OPEN');
    expect(refusal(() => startRelease(inProgress))).toMatchObject(['INVALID_STATE', { incompleteMilestones: ['a', 'b'] }]);
    const done = { ...inProgress, milestones: [], escrow: anEscrow({ status: 'DISPUTED' }) };
    expect(refusal(() => startRelease(done))).toMatchObject(['INVALID_STATE', { escrowStatus: 'DISPUTED' }]);
  });

  it('by refund does not need completed milestones', () => {
    expect(startRefund(inProgress).status).toBe('REFUND_REQUESTED');
  });

  it('that fails returns the order to its earlier status', () => {
    const activeRun = anActiveRun({ saga: 'resolve-dispute' });
    const asBefore = { isDisputed: false };
    expect(settlementFailed({ ...inProgress, status: 'REFUND_REQUESTED', activeRun }, asBefore).status).toBe('DISPUTED');
    const release = { ...inProgress, status: 'RELEASE_REQUESTED', activeRun: anActiveRun() } as const;
    expect(settlementFailed(release, asBefore).status).toBe('IN_PROGRESS');
  });
});

describe('a milestone', () => {
  const order = anOrder({ status: 'IN_PROGRESS', escrow: anEscrow(), milestones: [aMilestone('a'), aMilestone('b')] });

  it('is completed once, while the order is IN_PROGRESS; other milestones do not change', () => {
    const after = completeMilestone(order, 'a', at);
    expect(after.milestones.map(({ status, completedAt }) => [status, completedAt])).toEqual([
      ['COMPLETED', at],
      ['OPEN', null],
    ]);
    expect(refusal(() => completeMilestone(after, 'a', at))).toMatchObject(['INVALID_STATE', { currentStatus: 'COMPLETED' }]);
    expect(refusal(() => completeMilestone(order, 'c', at))[0]).toBe('MILESTONE_NOT_FOUND');
    expect(refusal(() => completeMilestone({ ...order, status: 'DISPUTED' }, 'a', at))[0]).toBe('INVALID_STATE');
  });

  it('that was completed on the ledger network is recorded once', () => {
    const seen = milestoneSeen(order, 'b', at);
    expect(seen.milestones[1]?.status).toBe('COMPLETED');
    expect(milestoneSeen(seen, 'b', at)).toBe(seen);
    expect(milestoneSeen(order, 'order', at)).toBe(order);
  });
});

describe('a resolution', () => {
  const disputed = anOrder({ status: 'DISPUTED', escrow: anEscrow({ status: 'DISPUTED' }) });
  const requested = { decision: 'SPLIT', release: usd(60), refund: usd(40), note: null } as const;

  it('starts from UNDER_REVIEW only', () => {
    expect(refusal(() => startResolution(disputed, aDispute({ status: 'OPEN' }), requested))[0]).toBe('INVALID_STATE');
    expect(startResolution(disputed, aDispute(), requested).after.status).toBe('RELEASE_REQUESTED');
  });

  it('throws INVALID_AMOUNT if the parts do not add up to the order', () => {
    expect(refusal(() => startResolution(disputed, aDispute(), { ...requested, refund: usd(41) }))[0]).toBe('INVALID_AMOUNT');
  });
});
