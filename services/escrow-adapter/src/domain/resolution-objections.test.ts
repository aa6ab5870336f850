import { parseMoney } from '@holdfast/kernel/money';
import type { ContractState } from './contract-state.js';
import { objectionToFunding, objectionToSettlement, type SettlementFacts } from './resolution-objections.js';

const amount = parseMoney('100.00', 'USD');
const terms = { type: 'single-release', amount, milestones: [{ ref: 'm1', title: 'All', units: amount.units }] } as const;
const milestone = { isCompleted: false, isApproved: false, isDisputed: false, isReleased: false, isResolved: false };
const aState = (given: Partial<ContractState> = {}): ContractState => ({
  balanceUnits: amount.units,
  isDisputed: false,
  isReleased: false,
  isResolved: false,
  milestones: [milestone],
  ...given,
});
const release = { decision: 'RELEASE', sellerUnits: amount.units, buyerUnits: 0n } as const;
const refund = { decision: 'REFUND', sellerUnits: 0n, buyerUnits: amount.units } as const;
const facts = (given: Partial<SettlementFacts> = {}): SettlementFacts => ({
  settlement: refund,
  landed: [],
  hasForgotten: false,
  ...given,
});
const released = aState({ isReleased: true, balanceUnits: 0n });

describe('the outcome of a funding', () => {
  it.each([
    ['holds everything', aState(), [true, false]],
    ['holds one unit less', aState({ balanceUnits: amount.units - 1n }), [false, true]],
    ['holds nothing', aState({ balanceUnits: 0n }), [false, true]],
    ['has paid out', released, [true, false]],
  ])('follows from a contract that %s', (_, state, accepted) => {
    const isAccepted = (outcome: 'succeeded' | 'failed') => objectionToFunding(outcome, terms, state) === undefined;
    expect([isAccepted('succeeded'), isAccepted('failed')]).toEqual(accepted);
  });
});

describe('the outcome of the payout of one milestone', () => {
  const unit = amount.units / 2n;
  const milestones = ['a', 'b'].map((ref) => ({ ref, title: ref, units: unit }));
  const two = { type: 'multi-release', amount, milestones } as const;
  const [open, releasedOne, resolvedOne] = [milestone, { ...milestone, isReleased: true }, { ...milestone, isResolved: true }];
  const given = (decision: 'RELEASE' | 'REFUND'): SettlementFacts => {
    const shares = decision === 'RELEASE' ? { sellerUnits: unit, buyerUnits: 0n } : { sellerUnits: 0n, buyerUnits: unit };
    return facts({ settlement: { decision, ...shares, milestones: [1] } });
  };

  it.each([
    { name: 'neither is paid', states: [open, open], balanceUnits: unit * 2n, of: given('RELEASE'), accepted: [false, true] },
    {
      name: 'the other one is paid',
      states: [releasedOne, open],
      balanceUnits: unit,
      of: given('REFUND'),
      accepted: [false, true],
    },
    {
      name: 'it is paid as decided',
      states: [open, releasedOne],
      balanceUnits: unit,
      of: given('RELEASE'),
      accepted: [true, false],
    },
    {
      name: 'it was released instead',
      states: [open, releasedOne],
      balanceUnits: unit,
      of: given('REFUND'),
      accepted: [true, true],
    },
    {
      name: 'it was resolved outside',
      states: [open, resolvedOne],
      balanceUnits: unit,
      of: given('REFUND'),
      accepted: [true, true],
    },
    { name: 'the other one was', states: [resolvedOne, open], balanceUnits: unit, of: given('REFUND'), accepted: [false, true] },
    {
      name: 'its amount is missing',
      states: [releasedOne, open],
      balanceUnits: 1n,
      of: given('REFUND'),
      accepted: [false, false],
    },
  ])('follows from its state: $name', ({ states, balanceUnits, of, accepted }) => {
    const state = aState({ milestones: states, balanceUnits });
    const isAccepted = (outcome: 'succeeded' | 'failed') => objectionToSettlement(outcome, two, state, of) === undefined;
    expect([isAccepted('succeeded'), isAccepted('failed')]).toEqual(accepted);
  });
});

describe('the outcome of a settlement', () => {
  it.each([
    ['holds everything', aState(), facts(), [false, true]],
    ['holds too little', aState({ balanceUnits: 1n }), facts(), [false, false]],
    ['has paid as decided', released, facts({ settlement: release }), [true, false]],
    ['was released instead of refunded', released, facts(), [true, true]],
    ['was resolved outside', aState({ isResolved: true, balanceUnits: 0n }), facts(), [true, true]],
    ['was released, perhaps by a forgotten transaction', released, facts({ hasForgotten: true }), [true, false]],
  ])('follows from a contract that %s', (_, state, given, accepted) => {
    const isAccepted = (outcome: 'succeeded' | 'failed') => objectionToSettlement(outcome, terms, state, given) === undefined;
    expect([isAccepted('succeeded'), isAccepted('failed')]).toEqual(accepted);
  });
});
