import { cancelSaga } from './cancel.js';
import { createEscrowSaga } from './create-escrow.js';
import { depositSaga } from './deposit.js';
import { fundSaga } from './fund.js';
import { refundSaga } from './refund.js';
import { releaseSaga } from './release.js';
import { reserveSaga } from './reserve.js';
import { resolveDisputeSaga } from './resolve-dispute.js';
import type { Saga } from './saga.js';

/** All sagas. Queue bindings, documentation, checks and the fault matrix are computed from them. */
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
