import { money } from '@holdfast/kernel/money';
import type { Contract } from './contract.js';
import type { ContractState } from './contract-state.js';
import { externalChanges } from './external-changes.js';

const untouched = { isCompleted: false, isApproved: false, isDisputed: false, isReleased: false, isResolved: false };

function aContract(more: Partial<Contract> = {}): Contract {
  return {
    escrowId: 'esc_1',
    orderId: 'ord_1',
    marketplaceId: 'mkt_1',
    type: 'single-release',
    releaseMode: 'order',
    amount: money(100n, 'USDC'),
    buyerId: 'usr_1',
    sellerId: 'usr_2',
    title: '',
    description: '',
    platformFeeBasisPoints: 500,
    milestones: [{ ref: 'a', title: 'A', units: 100n }],
    status: 'FUNDED',
    isDisputeKnown: false,
    disputesKnown: [],
    lastLedger: 0,
    milestonesKnown: [],
    milestonesSettled: [],
    version: 0,
    createdAt: '2026-01-01T00:00:00.000000Z',
    ...more,
  };
}

function aState(more: Partial<ContractState> = {}): ContractState {
  return { balanceUnits: 100n, isDisputed: false, isReleased: false, isResolved: false, milestones: [untouched], ...more };
}

describe('external changes of a contract', () => {
  it('are empty for an unchanged contract', () => {
    expect(externalChanges(aContract(), aState())).toEqual([]);
  });

  it('are listed in the order in which they can have happened', () => {
    const state = aState({ isReleased: true, milestones: [{ ...untouched, isCompleted: true }] });
    expect(externalChanges(aContract(), state)).toEqual([{ kind: 'milestone', index: 0 }, { kind: 'released' }]);
  });

  it('leave out known changes and settled contracts', () => {
    const state = aState({ isDisputed: true, milestones: [{ ...untouched, isCompleted: true }] });
    expect(externalChanges(aContract({ isDisputeKnown: true, milestonesKnown: [0] }), state)).toEqual([]);
    expect(externalChanges(aContract({ status: 'SETTLED' }), aState({ isReleased: true }))).toEqual([]);
  });

  it('distinguish a resolution from a release', () => {
    expect(externalChanges(aContract(), aState({ isResolved: true }))).toEqual([{ kind: 'resolved' }]);
    const mixed = [
      { ...untouched, isReleased: true },
      { ...untouched, isResolved: true },
    ];
    expect(externalChanges(aContract({ type: 'multi-release' }), aState({ milestones: mixed }))).toEqual([{ kind: 'resolved' }]);
  });
});

describe('external changes of a contract that is paid milestone by milestone', () => {
  const parts = ['a', 'b', 'c'].map((ref) => ({ ref, title: ref, units: 30n }));
  const ofMilestones = { type: 'multi-release', releaseMode: 'milestone', milestones: parts } as const;
  const changesOf = (states: readonly Partial<ContractState['milestones'][number]>[], more: Partial<Contract> = {}) =>
    externalChanges(
      aContract({ ...ofMilestones, ...more }),
      aState({ milestones: states.map((state) => ({ ...untouched, ...state })) }),
    );

  it('are listed for each milestone, in the order in which they can have happened', () => {
    const released = { isCompleted: true, isApproved: true, isReleased: true };
    expect(changesOf([released, { isDisputed: true }, { isResolved: true }])).toEqual([
      { kind: 'milestone', index: 0 },
      { kind: 'released', index: 0 },
      { kind: 'disputed', index: 1 },
      { kind: 'resolved', index: 2 },
    ]);
  });

  it('leave out milestones that are paid out, and what is known', () => {
    const milestonesSettled = [{ index: 0, decision: 'RELEASE' } as const];
    const states = [{ isCompleted: true, isReleased: true }, { isCompleted: true, isDisputed: true }, {}];
    expect(changesOf(states, { milestonesSettled, milestonesKnown: [1], disputesKnown: [1] })).toEqual([]);
  });

  it('do not show whether a resolved milestone was completed, because the resolution replaces its status', () => {
    expect(changesOf([{}, {}, { isCompleted: true, isResolved: true }])).toEqual([{ kind: 'resolved', index: 2 }]);
  });
});
