import type { Contract } from './contract.js';
import { isPaidOut, type ContractState, type MilestoneState } from './contract-state.js';
import { distributionsOf, shareOut } from './distributions.js';
import type { SettlementStep, Step } from './steps.js';

export type SettlementDecision = 'RELEASE' | 'REFUND' | 'SPLIT';

/** How a contract shall be paid out; the parts add up to its amount. */
export type Settlement = { readonly decision: SettlementDecision; readonly sellerUnits: bigint; readonly buyerUnits: bigint };

/** What can be done now. Steps of different signers may be done at the same time; none at all means that all is done. */
export type Plan<S extends Step = Step> =
  { readonly status: 'go'; readonly steps: readonly S[] } | { readonly status: 'never'; readonly reason: string };

type Terms = Pick<Contract, 'type' | 'amount' | 'milestones'>;

/** Only what is missing is paid in, so that a repeat pays nothing twice. */
export function planFunding({ amount }: Terms, state: ContractState): Plan {
  if (isAnyPaidOut(state)) return { status: 'never', reason: 'the contract has paid out already' };
  const missing = amount.units - state.balanceUnits;
  return { status: 'go', steps: missing > 0n ? [{ does: 'fund', units: missing }] : [] };
}

export function planSettlement(terms: Terms, wanted: Settlement, state: ContractState): Plan<SettlementStep> {
  if (state.milestones.length !== terms.milestones.length) return never('the contract has other milestones than the order');
  if (isContradicted(wanted, terms, state)) return never('the contract has been paid out in another way');
  if (isSettled(terms, state)) return go([]);
  if (state.balanceUnits < missingUnits(terms, state)) return never('the contract holds less than it has to pay out');
  return go(terms.type === 'single-release' ? singleReleaseSteps(terms, wanted, state) : multiReleaseSteps(terms, wanted, state));
}

/** Everything that this contract can pay out is paid out. */
export function isSettled({ type }: Pick<Contract, 'type'>, state: ContractState): boolean {
  return type === 'single-release' ? isPaidOut(state) : state.milestones.every(isPaidOut);
}

/** Once anything has been paid out a settlement goes forward only. */
export function isAnyPaidOut(state: ContractState): boolean {
  return isPaidOut(state) || state.milestones.some(isPaidOut);
}

function go(steps: readonly SettlementStep[]): Plan<SettlementStep> {
  return { status: 'go', steps };
}

function never(reason: string): Plan<SettlementStep> {
  return { status: 'never', reason };
}

/** What was released cannot be refunded any more, and a split is never a release. */
function isContradicted({ decision }: Settlement, { type }: Terms, state: ContractState): boolean {
  if (decision === 'RELEASE') return false;
  return type === 'single-release' ? state.isReleased : state.milestones.some(({ isReleased }) => isReleased);
}

function missingUnits({ type, amount, milestones }: Terms, state: ContractState): bigint {
  if (type === 'single-release') return amount.units;
  return milestones.reduce((sum, { units }, index) => (isPaidOutAt(state, index) ? sum : sum + units), 0n);
}

function isPaidOutAt({ milestones }: ContractState, index: number): boolean {
  const milestone = milestones[index];
  return milestone !== undefined && isPaidOut(milestone);
}

/** A release of what is already disputed is a resolution with everything to the seller. */
function singleReleaseSteps(terms: Terms, wanted: Settlement, state: ContractState): readonly SettlementStep[] {
  if (wanted.decision === 'RELEASE' && !state.isDisputed) {
    const preparations = state.milestones.flatMap(preparationOf);
    return preparations.length > 0 ? preparations : [{ does: 'release' }];
  }
  if (!state.isDisputed) return [{ does: 'dispute' }];
  // The parts must add up to what the contract holds; whatever somebody else paid in is nobody's here.
  const surplus = { to: 'platform', units: state.balanceUnits - terms.amount.units } as const;
  return [{ does: 'resolve', distributions: distributionsOf(wanted, surplus) }];
}

/** Nothing is paid out before everything is ready for it: until then all of it can still be called off. */
function multiReleaseSteps(terms: Terms, wanted: Settlement, state: ContractState): readonly SettlementStep[] {
  const preparations = state.milestones.flatMap((milestone, index) =>
    wanted.decision === 'RELEASE' ? preparationOf(milestone, index) : disputeOf(milestone, index),
  );
  if (preparations.length > 0) return preparations;
  const shares = shareOut(terms.milestones, wanted);
  return state.milestones.flatMap((milestone, index): readonly SettlementStep[] => {
    if (isPaidOut(milestone)) return [];
    if (!milestone.isDisputed) return [{ does: 'release', index }];
    return [{ does: 'resolve', index, distributions: distributionsOf(shares[index] ?? wanted) }];
  });
}

function preparationOf(milestone: MilestoneState, index: number): readonly SettlementStep[] {
  if (isPaidOut(milestone) || milestone.isDisputed || milestone.isApproved) return [];
  return [{ does: milestone.isCompleted ? 'approve' : 'complete', index }];
}

function disputeOf(milestone: MilestoneState, index: number): readonly SettlementStep[] {
  return isPaidOut(milestone) || milestone.isDisputed ? [] : [{ does: 'dispute', index }];
}
