import type { Moves } from '@holdfast/kernel/states';

export const disputeStatuses = ['OPEN', 'UNDER_REVIEW', 'RESOLVED'] as const;
export type DisputeStatus = (typeof disputeStatuses)[number];

export const disputeMoves = {
  assign: { from: ['OPEN'], to: 'UNDER_REVIEW' },
  resolve: { from: ['UNDER_REVIEW'], to: 'RESOLVED' },
  /** The contract was paid out, by our saga or directly on the ledger network. */
  settle: { from: ['OPEN', 'UNDER_REVIEW'], to: 'RESOLVED' },
} as const satisfies Moves<DisputeStatus, string>;
