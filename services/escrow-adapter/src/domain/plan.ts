import type { Contract } from './contract.js';
import { isPaidOut, type ContractState, type MilestoneState } from './contract-state.js';
import { distributionsOf, shareOut } from './distributions.js';
import type { SettlementStep, Step } from './steps.js';

export type SettlementDecision = 'RELEASE' | 'REFUND' | 'SPLIT';

/** The requested payout of a contract; the shares add up to its amount. */
export type Settlement = { readonly decision: SettlementDecision; readonly sellerUnits: bigint; readonly buyerUnits: bigint };

/** The steps that can be taken now; those of different signers may run in parallel. No steps means that the plan is complete. */
export type Plan<S extends Step = Step> =
  | { readonly status: 'possible'; readonly steps: readonly S[] }
  /** A contradiction: the contract was paid out in another way, so that no retry helps. */
  | { readonly status: 'impossible'; readonly reason: string; readonly isContradiction?: true };

type Terms = Pick<Contract, 'type' | 'amount' | 'milestones'>;

/** Plans to pay in the missing amount only, so that a repeat pays nothing twice. */
export function planFunding({ amount }: Terms, state: ContractState): Plan {
  if (isAnyPaidOut(state)) return { status: 'impossible', reason: 'the contract has paid out already' };
  const missing = amount.units - state.balanceUnits;
  return { status: 'possible', steps: missing > 0n ? [{ does: 'fund', units: missing }] : [] };
}

export function planSettlement(terms: Terms, settlement: Settlement, state: ContractState): Plan<SettlementStep> {
  if (state.milestones.length !== terms.milestones.length) return impossible('the contract has other milestones than the order');
  if (isContradicted(settlement, terms, state)) return contradicted('the contract has been paid out in another way');
  if (isSettled(terms, state)) return possible([]);
  if (state.balanceUnits < missingUnits(terms, state)) return impossible('the contract holds less than it has to pay out');
  return possible(
    terms.type === 'single-release' ? singleReleaseSteps(terms, settlement, state) : multiReleaseSteps(terms, settlement, state),
  );
}

/** Whether everything that this contract can pay out is paid out. */
export function isSettled({ type }: Pick<Contract, 'type'>, state: ContractState): boolean {
  return type === 'single-release' ? isPaidOut(state) : state.milestones.every(isPaidOut);
}

/** The point of no return of a settlement: after the first payout it can only be completed. */
export function isAnyPaidOut(state: ContractState): boolean {
  return isPaidOut(state) || state.milestones.some(isPaidOut);
}

function possible(steps: readonly SettlementStep[]): Plan<SettlementStep> {
  return { status: 'possible', steps };
}

function impossible(reason: string): Plan<SettlementStep> {
  return { status: 'impossible', reason };
}

export function contradicted(reason: string): Plan<SettlementStep> {
  return { status: 'impossible', reason, isContradiction: true };
}

/** Whether the contract, or a milestone of it, was resolved by a transaction that is not ours. Its flags do not show whom it paid. */
export function isResolvedByOthers({ type }: Terms, state: ContractState, landed: readonly SettlementStep[]): boolean {
  const isOurs = (index?: number): boolean => landed.some((step) => step.does === 'resolve' && step.index === index);
  if (type === 'single-release') return state.isResolved && !isOurs();
  return state.milestones.some(({ isResolved }, index) => isResolved && !isOurs(index));
}

/** A refund or a split is impossible once the contract, or a milestone of it, was released. */
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

/** A disputed contract is released by a resolution that pays everything to the seller. */
function singleReleaseSteps(terms: Terms, settlement: Settlement, state: ContractState): readonly SettlementStep[] {
  if (settlement.decision === 'RELEASE' && !state.isDisputed) {
    const preparations = state.milestones.flatMap(preparationOf);
    return preparations.length > 0 ? preparations : [{ does: 'release' }];
  }
  if (!state.isDisputed) return [{ does: 'dispute' }];
  // The distributions must add up to the contract's balance; what third parties paid in goes to the platform.
  const surplus = { to: 'platform', units: state.balanceUnits - terms.amount.units } as const;
  return [{ does: 'resolve', distributions: distributionsOf(settlement, surplus) }];
}

/** Every milestone is prepared before the first payout: until that point of no return the whole settlement can still fail. */
function multiReleaseSteps(terms: Terms, settlement: Settlement, state: ContractState): readonly SettlementStep[] {
  const preparations = state.milestones.flatMap((milestone, index) =>
    settlement.decision === 'RELEASE' ? preparationOf(milestone, index) : disputeOf(milestone, index),
  );
  if (preparations.length > 0) return preparations;
  const shares = shareOut(terms.milestones, settlement);
  return state.milestones.flatMap((milestone, index): readonly SettlementStep[] => {
    if (isPaidOut(milestone)) return [];
    if (!milestone.isDisputed) return [{ does: 'release', index }];
    return [{ does: 'resolve', index, distributions: distributionsOf(shares[index] ?? settlement) }];
  });
}

function preparationOf(milestone: MilestoneState, index: number): readonly SettlementStep[] {
  if (isPaidOut(milestone) || milestone.isDisputed || milestone.isApproved) return [];
  return [{ does: milestone.isCompleted ? 'approve' : 'complete', index }];
}

function disputeOf(milestone: MilestoneState, index: number): readonly SettlementStep[] {
  return isPaidOut(milestone) || milestone.isDisputed ? [] : [{ does: 'dispute', index }];
}
