import type { Contract } from './contract.js';
import type { ContractState } from './contract-state.js';
import { isSettled } from './plan.js';

/** Something happened to a contract that no intent of ours led to. */
export type ExternalChange =
  | { readonly kind: 'milestone'; readonly index: number }
  | { readonly kind: 'disputed' }
  | { readonly kind: 'released' }
  /** Paid out by a resolution: the flags do not tell to whom. */
  | { readonly kind: 'resolved' };

/** What is news about a contract that nobody is working on. Settled ones have no news. */
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
