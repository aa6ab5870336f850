import type { Moves } from '@holdfast/kernel/states';

export const milestoneStatuses = ['OPEN', 'SUBMITTED', 'COMPLETED', 'DISPUTED', 'RELEASED', 'REFUNDED', 'SPLIT'] as const;
export type MilestoneStatus = (typeof milestoneStatuses)[number];

const undecided = ['OPEN', 'SUBMITTED', 'COMPLETED'] as const;
/** The contract can pay out a milestone in each of these, by our saga or directly on the ledger network. */
const unpaid = [...undecided, 'DISPUTED'] as const;

export const milestoneMoves = {
  submit: { from: ['OPEN'], to: 'SUBMITTED' },
  requestChanges: { from: ['SUBMITTED'], to: 'OPEN' },
  complete: { from: ['OPEN', 'SUBMITTED'], to: 'COMPLETED' },
  release: { from: ['SUBMITTED', 'COMPLETED'], to: 'RELEASED' },
  refund: { from: undecided, to: 'REFUNDED' },
  dispute: { from: undecided, to: 'DISPUTED' },
  paidToSeller: { from: unpaid, to: 'RELEASED' },
  paidToBuyer: { from: unpaid, to: 'REFUNDED' },
  paidToBoth: { from: unpaid, to: 'SPLIT' },
} as const satisfies Moves<MilestoneStatus, string>;

export type MilestoneMove = keyof typeof milestoneMoves;

const paidStatuses: ReadonlySet<MilestoneStatus> = new Set(['RELEASED', 'REFUNDED', 'SPLIT']);

/** Whether the contract has paid the milestone out. */
export function isPaid({ status }: { readonly status: MilestoneStatus }): boolean {
  return paidStatuses.has(status);
}
