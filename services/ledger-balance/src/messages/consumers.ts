import {
  cancelSaga,
  depositSaga,
  freeWithdrawalSaga,
  fundSaga,
  openCaseSaga,
  refundMilestoneSaga,
  refundSaga,
  releaseMilestoneSaga,
  releaseSaga,
  reserveSaga,
  resolveCaseSaga,
  resolveDisputeSaga,
  resolveMilestoneDisputeSaga,
  completeWithdrawalSaga,
  topUpSaga,
  withdrawSaga,
  type Published,
} from '@holdfast/contracts/sagas';
import type { escrowMilestoneSettled, escrowPayoutCorrectionRequested } from '@holdfast/contracts/messages';
import { bind, consume, type BoundConsumer, type Handler } from '@holdfast/service-kit';
import { handleReserveAbortRequested, handleWithdrawalAbortRequested } from '../use-cases/handle-reserve-abort-requested.js';
import { handleCancelRequested } from '../use-cases/handle-cancel-requested.js';
import { handleCaseBookingRequested } from '../use-cases/handle-case-booking-requested.js';
import { handleCaseResolutionRequested } from '../use-cases/handle-case-resolution-requested.js';
import { handleDepositReceived } from '../use-cases/handle-deposit-received.js';
import { handleEscrowRefunded } from '../use-cases/handle-escrow-refunded.js';
import { handleEscrowReleased } from '../use-cases/handle-escrow-released.js';
import { handleFundRequested } from '../use-cases/handle-fund-requested.js';
import { handleFundingFailed } from '../use-cases/handle-funding-failed.js';
import { handleMilestoneSettled } from '../use-cases/handle-milestone-settled.js';
import { handlePayoutCorrectionRequested } from '../use-cases/handle-payout-correction-requested.js';
import { handleProviderAccountChanged } from '../use-cases/handle-provider-account-changed.js';
import { handleReserveRequested } from '../use-cases/handle-reserve-requested.js';
import { handleTopupCreditRequested } from '../use-cases/handle-topup-credit-requested.js';
import { handleWithdrawalFreeRequested } from '../use-cases/handle-withdrawal-free-requested.js';
import { handleWithdrawalReserveRequested } from '../use-cases/handle-withdrawal-reserve-requested.js';
import { handleWithdrawalDeductRequested } from '../use-cases/handle-withdrawal-deduct-requested.js';
import type { Deps } from '../use-cases/ports.js';
import type { EscrowPayout } from '../use-cases/settle-escrow.js';

/** Saga step or message → use case. */
export function consumersOf(deps: Deps): readonly BoundConsumer[] {
  return [
    bind(reserveSaga, 'ledger-balance', {
      reserve: (message) => handleReserveRequested(deps, message),
      abort: (message, ctx) => handleReserveAbortRequested(deps, message, ctx),
    }),
    bind(cancelSaga, 'ledger-balance', { free: (message) => handleCancelRequested(deps, message) }),
    bind(fundSaga, 'ledger-balance', {
      deduct: (message) => handleFundRequested(deps, message),
      restore: (message) => handleFundingFailed(deps, message),
    }),
    bind(releaseSaga, 'ledger-balance', {
      pay: (message) => handleEscrowReleased(deps, message),
      correct: (message) => handlePayoutCorrectionRequested(deps, message),
    }),
    bind(refundSaga, 'ledger-balance', {
      pay: (message) => handleEscrowRefunded(deps, message),
      correct: (message) => handlePayoutCorrectionRequested(deps, message),
    }),
    bind(resolveDisputeSaga, 'ledger-balance', {
      payRelease: (message) => handleEscrowReleased(deps, message),
      payRefund: (message) => handleEscrowRefunded(deps, message),
      correct: (message) => handlePayoutCorrectionRequested(deps, message),
    }),
    bind(releaseMilestoneSaga, 'ledger-balance', milestoneHandlers(deps)),
    bind(refundMilestoneSaga, 'ledger-balance', milestoneHandlers(deps)),
    bind(resolveMilestoneDisputeSaga, 'ledger-balance', milestoneHandlers(deps)),
    bind(depositSaga, 'ledger-balance', { credit: (message) => handleDepositReceived(deps, message) }),
    bind(topUpSaga, 'ledger-balance', { credit: (message) => handleTopupCreditRequested(deps, message) }),
    bind(withdrawSaga, 'ledger-balance', {
      reserve: (message) => handleWithdrawalReserveRequested(deps, message),
      abort: (message, ctx) => handleWithdrawalAbortRequested(deps, message, ctx),
    }),
    bind(completeWithdrawalSaga, 'ledger-balance', { deduct: (message) => handleWithdrawalDeductRequested(deps, message) }),
    bind(freeWithdrawalSaga, 'ledger-balance', { free: (message) => handleWithdrawalFreeRequested(deps, message) }),
    bind(openCaseSaga, 'ledger-balance', { book: (message) => handleCaseBookingRequested(deps, message) }),
    bind(resolveCaseSaga, 'ledger-balance', { settle: (message) => handleCaseResolutionRequested(deps, message) }),
    consume('ledger-balance', {
      userCreated: (message, ctx) => deps.users.handleUserChanged(message, ctx),
      userChanged: (message, ctx) => deps.users.handleUserChanged(message, ctx),
      custodyTransactionsLanded: (message, ctx) => deps.wallets.handleTransactionsLanded(message, ctx),
      providerAccountChanged: (message) => handleProviderAccountChanged(deps, message),
    }),
  ].flat();
}

type MilestoneHandlers = {
  readonly pay: Handler<typeof escrowMilestoneSettled, Published<EscrowPayout>>;
  readonly correct: Handler<typeof escrowPayoutCorrectionRequested, Published<EscrowPayout>>;
};

/** The three sagas that pay out one milestone have the same steps here. */
function milestoneHandlers(deps: Deps): MilestoneHandlers {
  return {
    pay: (message) => handleMilestoneSettled(deps, message),
    correct: (message) => handlePayoutCorrectionRequested(deps, message),
  };
}
