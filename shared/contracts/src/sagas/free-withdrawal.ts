import * as message from '../messages/index.js';
import { saga } from './saga.js';

export const freeWithdrawalSaga = saga('free-withdrawal', 'Frees the amount of a withdrawal that failed or was canceled.', {
  start: {
    by: 'payments',
    does: 'learns that the payout failed for good, or that a caller cancels the withdrawal',
    publishes: [message.withdrawalFreeRequested],
    pointOfNoReturn: true,
    noDeadline: 'the ledger frees a reservation in every state, so resending the command always ends the run',
  },
  free: {
    by: 'ledger-balance',
    on: message.withdrawalFreeRequested,
    does: 'moves the reserved amount to available',
    publishes: [message.balanceReleased, message.balanceWithdrawalFreed],
  },
  finish: {
    by: 'payments',
    on: message.balanceWithdrawalFreed,
    does: 'the withdrawal is WITHDRAWAL_FAILED or WITHDRAWAL_CANCELED',
    publishes: [message.withdrawalFailed, message.withdrawalCanceled],
    ends: 'succeeded',
  },
});
