import { cancelSaga } from './cancel/saga.js';
import { createEscrowSaga } from './create-escrow/saga.js';
import { depositSaga } from './deposit/saga.js';
import { fundSaga } from './fund/saga.js';
import { refundSaga } from './refund/saga.js';
import { releaseSaga } from './release/saga.js';
import { reserveSaga } from './reserve/saga.js';
import { resolveDisputeSaga } from './resolve-dispute/saga.js';
import type { Saga } from './declaration/index.js';

export type { Saga, SagaStep } from './declaration/index.js';

/** Every saga of the platform; the drawings and the checks read it. */
export const allSagas: readonly Saga[] = [
  reserveSaga,
  createEscrowSaga,
  fundSaga,
  releaseSaga,
  refundSaga,
  resolveDisputeSaga,
  cancelSaga,
  depositSaga,
];
