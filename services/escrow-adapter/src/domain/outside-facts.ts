import type { Contract } from './contract.js';
import type { ContractState } from './contract-state.js';
import { isSettled } from './plan.js';

/** Something happened to a contract that no intent of ours led to. */
export type OutsideFact =
  | { readonly fact: 'milestone'; readonly index: number }
  | { readonly fact: 'disputed' }
  | { readonly fact: 'released' }
  /** Paid out by a resolution: the flags do not tell to whom. */
  | { readonly fact: 'resolved' };

/** What is news about a contract that nobody is working on. Settled ones have no news. */
export function outsideFacts(contract: Contract, state: ContractState): readonly OutsideFact[] {
  if (contract.status === 'SETTLED' || contract.status === 'FAILED') return [];
  const isDisputed = state.isDisputed || state.milestones.some((milestone) => milestone.isDisputed);
  const milestones = state.milestones.flatMap(({ isCompleted }, index): readonly OutsideFact[] =>
    isCompleted && !contract.milestonesKnown.includes(index) ? [{ fact: 'milestone', index }] : [],
  );
  return [
    ...milestones,
    ...(isDisputed && !contract.isDisputeKnown ? [{ fact: 'disputed' } as const] : []),
    ...(isSettled(contract, state) ? [{ fact: isReleasedThroughout(contract, state) ? 'released' : 'resolved' } as const] : []),
  ];
}

function isReleasedThroughout({ type }: Contract, state: ContractState): boolean {
  return type === 'single-release' ? state.isReleased : state.milestones.every(({ isReleased }) => isReleased);
}
