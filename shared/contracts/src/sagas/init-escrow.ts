/**
 * Sagas that run one after the other behind one request. Each starts in the commit that ends the one before; if one fails,
 * `compensatedBy` follows and the sequence has failed.
 */
export type SagaSequence = {
  readonly name: string;
  readonly summary: string;
  readonly sagas: readonly string[];
  readonly compensatedBy: string;
};

export const initEscrow = {
  name: 'init-escrow',
  summary: 'Reserves the amount of a new order, deploys its contract and funds it.',
  sagas: ['reserve', 'create-escrow', 'fund'],
  compensatedBy: 'cancel',
} as const satisfies SagaSequence;

export const allSequences: readonly SagaSequence[] = [initEscrow];
