import type { Contract } from './contract.js';
import { isPaidOut, type ContractState, type MilestoneState } from './contract-state.js';
import { distributionsOf, shareOut, type Shares } from './distributions.js';
import type { SettlementStep, Step } from './steps.js';

export type SettlementDecision = 'RELEASE' | 'REFUND' | 'SPLIT';

/** The requested payout of a contract, or of some of its milestones; the shares add up to their amount. */
export type Settlement = {
  readonly decision: SettlementDecision;
  readonly sellerUnits: bigint;
  readonly buyerUnits: bigint;
  /** Indexes of the milestones that it pays, in order. It concerns no other milestone. Absent: the whole contract. */
  readonly milestones?: readonly number[];
};

type Scope = Pick<Settlement, 'milestones'>;
const whole: Scope = {};

/** The steps that can be taken now; steps of different signers may run in parallel. No steps means that the plan is complete. */
export type Plan<S extends Step = Step> =
  | { readonly status: 'possible'; readonly steps: readonly S[] }
  /** A contradiction: the contract or the milestone was paid out in another way, so that no retry helps. */
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
  if (isContradicted(settlement, terms, state))
    return contradicted(`the ${payoutSubjectOf(settlement)} has been paid out in another way`);
  if (isSettled(terms, state, settlement)) return possible([]);
  if (state.balanceUnits < missingUnits(terms, state, settlement))
    return impossible('the contract holds less than it has to pay out');
  return possible(
    terms.type === 'single-release' ? singleReleaseSteps(terms, settlement, state) : multiReleaseSteps(terms, settlement, state),
  );
}

/** Whether everything that this contract can pay out, or these milestones of it, is paid out. */
export function isSettled({ type }: Pick<Contract, 'type'>, state: ContractState, scope: Scope = whole): boolean {
  return type === 'single-release' ? isPaidOut(state) : concerned(state, scope).every(isPaidOut);
}

/** The point of no return of a settlement: after the first payout it can only be completed. */
export function isAnyPaidOut(state: ContractState, scope: Scope = whole): boolean {
  return isPaidOut(state) || concerned(state, scope).some(isPaidOut);
}

/** What a settlement pays, in a text for people. */
export function payoutSubjectOf({ milestones }: Scope): 'contract' | 'milestone' {
  return milestones?.length === 1 ? 'milestone' : 'contract';
}

/** The milestones that a settlement concerns: all others neither settle nor contradict it. */
function concerned({ milestones }: ContractState, scope: Scope): readonly MilestoneState[] {
  return milestones.filter((_, index) => isConcerned(scope, index));
}

function isConcerned({ milestones }: Scope, index: number): boolean {
  return milestones === undefined || milestones.includes(index);
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

/**
 * Whether the contract, or a milestone of it that the settlement concerns, was resolved by a transaction that is not ours. Its flags
 * do not show whom it paid.
 */
export function isResolvedByOthers(
  { type }: Pick<Terms, 'type'>,
  state: ContractState,
  landed: readonly SettlementStep[],
  scope: Scope = whole,
): boolean {
  const isOurs = (index?: number): boolean => landed.some((step) => step.does === 'resolve' && step.index === index);
  if (type === 'single-release') return state.isResolved && !isOurs();
  return state.milestones.some(({ isResolved }, index) => isResolved && isConcerned(scope, index) && !isOurs(index));
}

/** A refund or a split is impossible once the contract, or a milestone of it, was released. */
function isContradicted(settlement: Settlement, { type }: Terms, state: ContractState): boolean {
  if (settlement.decision === 'RELEASE') return false;
  return type === 'single-release' ? state.isReleased : concerned(state, settlement).some(({ isReleased }) => isReleased);
}

function missingUnits({ type, amount, milestones }: Terms, state: ContractState, scope: Scope): bigint {
  if (type === 'single-release') return amount.units;
  const isMissing = (index: number): boolean => isConcerned(scope, index) && !isPaidOutAt(state, index);
  return milestones.reduce((sum, { units }, index) => (isMissing(index) ? sum + units : sum), 0n);
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
  const paid = sharesOf(terms, settlement).map((share) => ({ ...share, milestone: milestoneAt(state, share.index) }));
  const preparations = paid.flatMap(({ index, milestone }) =>
    settlement.decision === 'RELEASE' ? preparationOf(milestone, index) : disputeOf(milestone, index),
  );
  if (preparations.length > 0) return preparations;
  return paid.flatMap(({ index, milestone, shares }): readonly SettlementStep[] => {
    if (isPaidOut(milestone)) return [];
    if (!milestone.isDisputed) return [{ does: 'release', index }];
    return [{ does: 'resolve', index, distributions: distributionsOf(shares) }];
  });
}

/** The milestones that a settlement pays, each with its shares: the seller's part fills them in order. */
export function sharesOf(
  { milestones }: Pick<Contract, 'milestones'>,
  settlement: Settlement,
): readonly { readonly index: number; readonly shares: Shares }[] {
  const paid = milestones.map(({ units }, index) => ({ units, index })).filter(({ index }) => isConcerned(settlement, index));
  const shares = shareOut(paid, settlement);
  return paid.map(({ index }, position) => ({ index, shares: shares[position] ?? settlement }));
}

function milestoneAt({ milestones }: ContractState, index: number): MilestoneState {
  const milestone = milestones[index];
  if (milestone === undefined) throw new RangeError('the contract has no such milestone');
  return milestone;
}

function preparationOf(milestone: MilestoneState, index: number): readonly SettlementStep[] {
  if (isPaidOut(milestone) || milestone.isDisputed || milestone.isApproved) return [];
  return [{ does: milestone.isCompleted ? 'approve' : 'complete', index }];
}

function disputeOf(milestone: MilestoneState, index: number): readonly SettlementStep[] {
  return isPaidOut(milestone) || milestone.isDisputed ? [] : [{ does: 'dispute', index }];
}
