import * as message from '@holdfast/shared/contracts/messages';
import { on, type BoundConsumer } from '@holdfast/shared/service-host';
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

/** Declared message → use case. */
export function consumersOf(deps: Deps): readonly BoundConsumer[] {
  return [
    on(message.userCreated, (heard, ctx) => deps.users.hear(heard, ctx)),
    on(message.userChanged, (heard, ctx) => deps.users.hear(heard, ctx)),
    on(message.orderReserveRequested, (heard) => noteReserveRequested(deps, heard)),
    on(message.orderCancelRequested, (heard) => noteCancelRequested(deps, heard)),
    on(message.orderFundRequested, (heard) => noteFundRequested(deps, heard)),
    on(message.escrowFundingFailed, (heard) => noteFundingFailed(deps, heard)),
    on(message.escrowReleased, (heard) => noteEscrowReleased(deps, heard)),
    on(message.escrowRefunded, (heard) => noteEscrowRefunded(deps, heard)),
    on(message.balanceDepositReceived, (heard) => noteDepositReceived(deps, heard)),
    on(message.custodyTransactionsLanded, (heard) => deps.wallets.noteLanded(heard)),
    on(message.topupPaymentReceived, (heard) => noteTopupPaid(deps, heard)),
    on(message.withdrawalHoldRequested, (heard) => noteWithdrawalHoldRequested(deps, heard)),
    on(message.withdrawalPaidOut, (heard) => noteWithdrawalPaidOut(deps, heard)),
    on(message.withdrawalCalledOff, (heard) => noteWithdrawalCalledOff(deps, heard)),
  ];
}
