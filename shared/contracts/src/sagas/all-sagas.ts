import { cancelSaga } from './cancel.js';
import { createEscrowSaga } from './create-escrow.js';
import { depositSaga } from './deposit.js';
import { freeWithdrawalSaga } from './free-withdrawal.js';
import { fundSaga } from './fund.js';
import { ledgerPayoutSaga } from './ledger-payout.js';
import { openCaseSaga } from './open-case.js';
import { refundSaga } from './refund.js';
import { refundMilestoneSaga } from './refund-milestone.js';
import { releaseSaga } from './release.js';
import { releaseMilestoneSaga } from './release-milestone.js';
import { reserveSaga } from './reserve.js';
import { resolveCaseSaga } from './resolve-case.js';
import { resolveDisputeSaga } from './resolve-dispute.js';
import { resolveMilestoneDisputeSaga } from './resolve-milestone-dispute.js';
import { completeWithdrawalSaga } from './complete-withdrawal.js';
import { topUpSaga } from './top-up.js';
import { withdrawSaga } from './withdraw.js';
import type { Saga } from './saga.js';

const declared = [
  reserveSaga,
  createEscrowSaga,
  fundSaga,
  releaseSaga,
  refundSaga,
  resolveDisputeSaga,
  releaseMilestoneSaga,
  refundMilestoneSaga,
  resolveMilestoneDisputeSaga,
  cancelSaga,
  depositSaga,
  topUpSaga,
  withdrawSaga,
  completeWithdrawalSaga,
  freeWithdrawalSaga,
  ledgerPayoutSaga,
  openCaseSaga,
  resolveCaseSaga,
] as const;

/** The sagas with the types of their steps. */
export type DeclaredSaga = (typeof declared)[number];

/** All sagas. Queue bindings, documentation, checks and the fault matrix are computed from them. */
export const allSagas: readonly Saga[] = declared;
