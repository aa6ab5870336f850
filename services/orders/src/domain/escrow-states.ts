import type { Moves } from '@holdfast/kernel/states';

export const escrowStatuses = ['CREATING', 'CREATED', 'FUNDING', 'FUNDED', 'RELEASED', 'REFUNDED', 'DISPUTED'] as const;
export type EscrowStatus = (typeof escrowStatuses)[number];

/** A disputed escrow still holds its funds, because opening a dispute sends nothing to the ledger network. */
const funded = ['FUNDED', 'DISPUTED'] as const;

export const escrowMoves = {
  create: { from: ['CREATING'], to: 'CREATED' },
  startFunding: { from: ['CREATED'], to: 'FUNDING' },
  fund: { from: ['FUNDING'], to: 'FUNDED' },
  notFunded: { from: ['FUNDING'], to: 'CREATED' },
  dispute: { from: ['FUNDED'], to: 'DISPUTED' },
  release: { from: funded, to: 'RELEASED' },
  refund: { from: funded, to: 'REFUNDED' },
} as const satisfies Moves<EscrowStatus, string>;
