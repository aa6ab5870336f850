import type { Moves } from '@holdfast/kernel/states';

export const contractStatuses = ['REQUESTED', 'CREATED', 'FUNDED', 'SETTLED', 'FAILED'] as const;
export type ContractStatus = (typeof contractStatuses)[number];

/** A contract may be settled from CREATED, because its funding may have landed without being recorded here yet. */
export const contractMoves = {
  create: { from: ['REQUESTED'], to: 'CREATED' },
  fail: { from: ['REQUESTED'], to: 'FAILED' },
  fund: { from: ['CREATED'], to: 'FUNDED' },
  settle: { from: ['CREATED', 'FUNDED'], to: 'SETTLED' },
} as const satisfies Moves<ContractStatus, string>;
export type ContractMove = keyof typeof contractMoves;
