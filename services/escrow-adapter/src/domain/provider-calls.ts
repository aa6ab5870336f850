import type { Contract } from './contract.js';

/** Deployment, information of the indexer, and funding. */
const callsUntilFunded = 3;

/** The provider calls of an order that is released: each milestone is completed and approved, then paid out alone or with all others. */
export function callsOfOrder({ type, milestones }: Pick<Contract, 'type' | 'milestones'>): number {
  const releases = type === 'multi-release' ? milestones.length : 1;
  return callsUntilFunded + 2 * milestones.length + releases;
}
