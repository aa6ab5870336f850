import { cancelSaga } from './cancel.js';
import { createEscrowSaga } from './create-escrow.js';
import { depositSaga } from './deposit.js';
import { fundSaga } from './fund.js';
import { refundSaga } from './refund.js';
import { releaseSaga } from './release.js';
import { reserveSaga } from './reserve.js';
import { resolveDisputeSaga } from './resolve-dispute.js';
import type { Saga } from './saga.js';

/** Every saga of the platform; queues, docs, checks and the fault matrix read it. */
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
