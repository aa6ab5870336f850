import type { Contract } from './contract.js';
import type { ContractState } from './contract-state.js';
import { isSettled } from './plan.js';

/** A change of a contract that no intent of this service caused. */
export type ExternalChange =
  | { readonly kind: 'milestone'; readonly index: number }
  | { readonly kind: 'disputed' }
  | { readonly kind: 'released' }
  /** Paid out by a resolution; the flags do not show the recipient. */
  | { readonly kind: 'resolved' };

/** Compares the provider's state with what this service knows. The contract must have no open intent. */
export function externalChanges(contract: Contract, state: ContractState): readonly ExternalChange[] {
  if (contract.status === 'SETTLED' || contract.status === 'FAILED') return [];
  const isDisputed = state.isDisputed || state.milestones.some((milestone) => milestone.isDisputed);
  const milestones = state.milestones.flatMap(({ isCompleted }, index): readonly ExternalChange[] =>
    isCompleted && !contract.milestonesKnown.includes(index) ? [{ kind: 'milestone', index }] : [],
  );
  return [
    ...milestones,
    ...(isDisputed && !contract.isDisputeKnown ? [{ kind: 'disputed' } as const] : []),
    ...(isSettled(contract, state) ? [{ kind: isReleasedThroughout(contract, state) ? 'released' : 'resolved' } as const] : []),
  ];
}

function isReleasedThroughout({ type }: Contract, state: ContractState): boolean {
  return type === 'single-release' ? state.isReleased : state.milestones.every(({ isReleased }) => isReleased);
}
