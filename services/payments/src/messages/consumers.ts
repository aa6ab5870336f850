import {
  freeWithdrawalSaga,
  ledgerPayoutSaga,
  openCaseSaga,
  resolveCaseSaga,
  completeWithdrawalSaga,
  topUpSaga,
  withdrawSaga,
} from '@holdfast/contracts/sagas';
import { bind, consume, type BoundConsumer } from '@holdfast/service-kit';
import { handleCaseBooked, handleCaseRefused, handleCaseCleared } from '../use-cases/handle-case-replies.js';
import { handleDifferenceFound } from '../use-cases/handle-difference-found.js';
import { handleRecordQuarantined } from '../use-cases/handle-record-quarantined.js';
import { handleLedgerPayoutFailed, handleLedgerPayoutLanded } from '../use-cases/handle-ledger-payout.js';
import { handleTopupCredited, handleTopupRefused } from '../use-cases/handle-topup-credited.js';
import { handleUnconfirmedDeposit } from '../use-cases/handle-unconfirmed-deposit.js';
import { handleUnknownDeposit } from '../use-cases/handle-unknown-deposit.js';
import { handleUnknownOutflow } from '../use-cases/handle-unknown-outflow.js';
import { handleWithdrawalDeducted } from '../use-cases/handle-withdrawal-deducted.js';
import { handleWithdrawalFreed } from '../use-cases/handle-withdrawal-freed.js';
import { handleWithdrawalReserved, handleWithdrawalRefused } from '../use-cases/handle-withdrawal-reserved.js';
import type { Deps } from '../use-cases/ports.js';

/** Saga step or message → use case. */
export function consumersOf(deps: Deps): readonly BoundConsumer[] {
  return [
    bind(topUpSaga, 'payments', {
      finish: (message, ctx) => handleTopupCredited(deps, message, ctx),
      refuse: (message, ctx) => handleTopupRefused(deps, message, ctx),
    }),
    bind(withdrawSaga, 'payments', {
      finish: (message, ctx) => handleWithdrawalReserved(deps, message, ctx),
      refuse: (message, ctx) => handleWithdrawalRefused(deps, message, ctx),
    }),
    bind(completeWithdrawalSaga, 'payments', { finish: (message, ctx) => handleWithdrawalDeducted(deps, message, ctx) }),
    bind(freeWithdrawalSaga, 'payments', { finish: (message, ctx) => handleWithdrawalFreed(deps, message, ctx) }),
    bind(ledgerPayoutSaga, 'payments', {
      finish: (message, ctx) => handleLedgerPayoutLanded(deps, message, ctx),
      fail: (message, ctx) => handleLedgerPayoutFailed(deps, message, ctx),
    }),
    bind(openCaseSaga, 'payments', { finish: (message, ctx) => handleCaseBooked(deps, message, ctx) }),
    bind(resolveCaseSaga, 'payments', {
      finish: (message, ctx) => handleCaseCleared(deps, message, ctx),
      refuse: (message, ctx) => handleCaseRefused(deps, message, ctx),
    }),
    consume('payments', {
      userCreated: (message, ctx) => deps.users.handleUserChanged(message, ctx),
      userChanged: (message, ctx) => deps.users.handleUserChanged(message, ctx),
      emergencyStopChanged: deps.emergencyStop.handleChanged,
      testClockAdvanced: (message, ctx) => deps.testClocks.handleAdvanced(message, ctx),
      balanceDifferenceFound: (message, ctx) => handleDifferenceFound(deps, message, ctx),
      custodyUnknownDepositFound: (message, ctx) => handleUnknownDeposit(deps, message, ctx),
      custodyUnconfirmedDepositFound: (message, ctx) => handleUnconfirmedDeposit(deps, message, ctx),
      custodyUnknownOutflowFound: (message, ctx) => handleUnknownOutflow(deps, message, ctx),
      custodyRecordQuarantined: (message, ctx) => handleRecordQuarantined(deps, message, ctx),
    }),
  ].flat();
}
