import type { ContractState, MilestoneState } from './contract-state.js';

export type Party = 'buyer' | 'seller' | 'platform';

/** A recipient's amount before the provider's fee, which is taken from each recipient's amount. */
export type Distribution = { readonly to: Party; readonly units: bigint };

type AtMilestone = { readonly index: number };
type MaybeAtMilestone = { readonly index?: number };

/** One transaction on a contract. A step without an index concerns the whole contract. */
export type Step =
  | { readonly does: 'fund'; readonly units: bigint }
  | ({ readonly does: 'complete' | 'approve' } & AtMilestone)
  | ({ readonly does: 'release' | 'dispute' } & MaybeAtMilestone)
  | ({ readonly does: 'resolve'; readonly distributions: readonly Distribution[] } & MaybeAtMilestone)
  /** Pays out what a settled contract still holds: strangers have paid it in. */
  | { readonly does: 'withdrawRemaining'; readonly distributions: readonly Distribution[] };

export type SettlementStep = Exclude<Step, { readonly does: 'fund' | 'withdrawRemaining' }>;

/** The status of a delivered milestone. */
export const deliveredStatus = 'COMPLETED';

/** The party whose key signs a step. */
export function signerOf(step: SettlementStep): Party {
  if (step.does === 'complete') return 'seller';
  return step.does === 'resolve' ? 'platform' : 'buyer';
}

/** Unique within an intent, and the same on every run. */
export function nameOf(step: Step): string {
  return 'index' in step ? `${step.does}:${step.index}` : step.does;
}

/** Parses the name of a landed step. The distributions of a resolution are not in its name, and `afterStep` does not need them. */
export function landedStep(name: string): SettlementStep | undefined {
  const [does, place] = name.split(':');
  const at = place === undefined ? {} : { index: Number(place) };
  if (does === 'resolve') return { ...at, does, distributions: [] };
  if (does === 'release' || does === 'dispute') return { ...at, does };
  if ((does === 'complete' || does === 'approve') && 'index' in at) return { does, index: at.index };
  return undefined;
}

/** Whether a step pays out, which is the point of no return of a settlement. */
export function paysOut(step: Step): boolean {
  return step.does === 'release' || step.does === 'resolve';
}

/** Returns the contract's state after the step, which saves reading it from the provider after each step. */
export function afterStep(state: ContractState, step: SettlementStep): ContractState {
  const change = changeOf(step);
  if (step.index === undefined) return { ...state, ...change };
  return {
    ...state,
    milestones: state.milestones.map((milestone, at) => (at === step.index ? { ...milestone, ...change } : milestone)),
  };
}

function changeOf({ does }: SettlementStep): Partial<MilestoneState> {
  switch (does) {
    case 'complete':
      return { isCompleted: true };
    case 'approve':
      return { isApproved: true };
    case 'release':
      return { isReleased: true };
    case 'dispute':
      return { isDisputed: true };
    case 'resolve':
      return { isDisputed: false, isResolved: true };
  }
}
