import {
  cancelSaga,
  depositSaga,
  fundSaga,
  refundSaga,
  releaseSaga,
  reserveSaga,
  resolveDisputeSaga,
} from '@holdfast/shared/sagas';
import { bind, consume, type BoundConsumer } from '@holdfast/shared/service-host';
import { noteCancelRequested } from '../use-cases/note-cancel-requested.js';
import { noteDepositReceived } from '../use-cases/note-deposit-received.js';
import { noteEscrowRefunded } from '../use-cases/note-escrow-refunded.js';
import { noteEscrowReleased } from '../use-cases/note-escrow-released.js';
import { noteFundRequested } from '../use-cases/note-fund-requested.js';
import { noteFundingFailed } from '../use-cases/note-funding-failed.js';
import { noteReserveRequested } from '../use-cases/note-reserve-requested.js';
import { noteTopupPaid } from '../use-cases/note-topup-paid.js';
import { noteWithdrawalCalledOff } from '../use-cases/note-withdrawal-called-off.js';
import { noteWithdrawalHoldRequested } from '../use-cases/note-withdrawal-hold-requested.js';
import { noteWithdrawalPaidOut } from '../use-cases/note-withdrawal-paid-out.js';
import type { Deps } from '../use-cases/ports.js';

/** Saga step or message → use case. */
export function consumersOf(deps: Deps): readonly BoundConsumer[] {
  return [
    bind(reserveSaga, 'ledger-balance', { hold: (message) => noteReserveRequested(deps, message) }),
    bind(cancelSaga, 'ledger-balance', { free: (message) => noteCancelRequested(deps, message) }),
    bind(fundSaga, 'ledger-balance', {
      deduct: (message) => noteFundRequested(deps, message),
      restore: (message) => noteFundingFailed(deps, message),
    }),
    bind(releaseSaga, 'ledger-balance', { pay: (message) => noteEscrowReleased(deps, message) }),
    bind(refundSaga, 'ledger-balance', { pay: (message) => noteEscrowRefunded(deps, message) }),
    bind(resolveDisputeSaga, 'ledger-balance', {
      payRelease: (message) => noteEscrowReleased(deps, message),
      payRefund: (message) => noteEscrowRefunded(deps, message),
    }),
    bind(depositSaga, 'ledger-balance', { credit: (message) => noteDepositReceived(deps, message) }),
    consume('ledger-balance', {
      userCreated: (message, ctx) => deps.users.hear(message, ctx),
      userChanged: (message, ctx) => deps.users.hear(message, ctx),
      custodyTransactionsLanded: (message) => deps.wallets.noteLanded(message),
      topupPaymentReceived: (message) => noteTopupPaid(deps, message),
      withdrawalHoldRequested: (message) => noteWithdrawalHoldRequested(deps, message),
      withdrawalPaidOut: (message) => noteWithdrawalPaidOut(deps, message),
      withdrawalCalledOff: (message) => noteWithdrawalCalledOff(deps, message),
    }),
  ].flat();
}
