import type { Moves } from '@holdfast/kernel/states';

export const contractStatuses = ['REQUESTED', 'CREATED', 'FUNDED', 'SETTLED', 'FAILED'] as const;
export type ContractStatus = (typeof contractStatuses)[number];

/** A settlement may follow a funding that only the network knows of yet, so CREATED is among what it may leave. */
export const contractMoves = {
  create: { from: ['REQUESTED'], to: 'CREATED' },
  fail: { from: ['REQUESTED'], to: 'FAILED' },
  fund: { from: ['CREATED'], to: 'FUNDED' },
  settle: { from: ['CREATED', 'FUNDED'], to: 'SETTLED' },
} as const satisfies Moves<ContractStatus, string>;
export type ContractMove = keyof typeof contractMoves;
