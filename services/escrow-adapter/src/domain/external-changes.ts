import type { Contract } from './contract.js';
import { isPaidOut, type ContractState, type MilestoneState } from './contract-state.js';
import { isSettled } from './plan.js';
import { isSettledAt } from './settlement-scope.js';

/** A change of a contract that no intent of this service caused; with an index, a change of one milestone that is paid out by itself. */
export type ExternalChange =
  /** The milestone was completed. */
  | { readonly kind: 'milestone'; readonly index: number }
  | { readonly kind: 'disputed'; readonly index?: number }
  | { readonly kind: 'released'; readonly index?: number }
  /** Paid out by a resolution; the flags do not show the recipient. */
  | { readonly kind: 'resolved'; readonly index?: number };

/** Compares the provider's state with what this service knows. What open intents act on must be left out. */
export function externalChanges(contract: Contract, state: ContractState): readonly ExternalChange[] {
  if (contract.status === 'SETTLED' || contract.status === 'FAILED') return [];
  return contract.releaseMode === 'milestone'
    ? state.milestones.flatMap((milestone, index) => changesOfMilestone(contract, milestone, index))
    : changesOfContract(contract, state);
}

function changesOfContract(contract: Contract, state: ContractState): readonly ExternalChange[] {
  const isDisputed = state.isDisputed || state.milestones.some((milestone) => milestone.isDisputed);
  return [
    ...state.milestones.flatMap((milestone, index) => completionOf(contract, milestone, index)),
    ...(isDisputed && !contract.isDisputeKnown ? [{ kind: 'disputed' } as const] : []),
    ...(isSettled(contract, state) ? [{ kind: isReleasedThroughout(contract, state) ? 'released' : 'resolved' } as const] : []),
  ];
}

/**
 * In the order in which they can have happened. A milestone that is paid out does not change any more. A resolution replaces the status
 * of a milestone, which then does not show whether it was completed.
 */
function changesOfMilestone(contract: Contract, milestone: MilestoneState, index: number): readonly ExternalChange[] {
  if (isSettledAt(contract, index)) return [];
  const isNewDispute = milestone.isDisputed && !contract.disputesKnown.includes(index);
  return [
    ...(milestone.isResolved ? [] : completionOf(contract, milestone, index)),
    ...(isNewDispute ? [{ kind: 'disputed', index } as const] : []),
    ...(isPaidOut(milestone) ? [{ kind: milestone.isReleased ? 'released' : 'resolved', index } as const] : []),
  ];
}

function completionOf({ milestonesKnown }: Contract, { isCompleted }: MilestoneState, index: number): readonly ExternalChange[] {
  return isCompleted && !milestonesKnown.includes(index) ? [{ kind: 'milestone', index }] : [];
}

function isReleasedThroughout({ type }: Contract, state: ContractState): boolean {
  return type === 'single-release' ? state.isReleased : state.milestones.every(({ isReleased }) => isReleased);
}
