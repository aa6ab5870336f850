import type { Moves } from '@holdfast/kernel/states';

export const caseStatuses = ['OPEN', 'PENDING_APPROVAL', 'RESOLVED'] as const;
export type CaseStatus = (typeof caseStatuses)[number];

/** A decided case stays OPEN until the ledger has booked the decision, or has refused it. */
export const caseMoves = {
  requestApproval: { from: ['OPEN', 'PENDING_APPROVAL'], to: 'PENDING_APPROVAL' },
  decide: { from: ['OPEN', 'PENDING_APPROVAL'], to: 'OPEN' },
  resolve: { from: ['OPEN'], to: 'RESOLVED' },
  /** Only of a case that was closed because its difference had vanished. */
  reopen: { from: ['RESOLVED'], to: 'OPEN' },
} as const satisfies Moves<CaseStatus, string>;
