import * as message from '../messages/index.js';
import { saga } from './saga.js';

export const completeWithdrawalSaga = saga('complete-withdrawal', 'Deducts the amount of a withdrawal that was paid out.', {
  start: {
    by: 'payments',
    does: 'learns that the money has reached its destination',
    publishes: [message.withdrawalDeductRequested],
    calls: ['create-payout', 'commit'],
  },
  deduct: {
    by: 'ledger-balance',
    on: message.withdrawalDeductRequested,
    does: 'deducts the reserved amount',
    publishes: [message.balanceReleased, message.balanceWithdrawalDeducted],
    pointOfNoReturn: true,
    noDeadline: 'the money has left the platform, so the amount must be deducted',
  },
  finish: {
    by: 'payments',
    on: message.balanceWithdrawalDeducted,
    does: 'the withdrawal is WITHDRAWAL_COMPLETED',
    publishes: [message.withdrawalCompleted],
    ends: 'succeeded',
  },
});
