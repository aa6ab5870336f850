import * as message from '../messages/index.js';
import { saga } from './saga.js';

export const settleWithdrawalSaga = saga('settle-withdrawal', 'Deducts the amount of a withdrawal that was paid out.', {
  start: {
    by: 'payments',
    does: 'learns that the money has reached its destination',
    publishes: [message.withdrawalPaidOut],
    calls: ['create-payout', 'commit'],
  },
  deduct: {
    by: 'ledger-balance',
    on: message.withdrawalPaidOut,
    does: 'deducts the reserved amount',
    publishes: [message.balanceReleased, message.balanceWithdrawalConsumed],
    pointOfNoReturn: true,
    noDeadline: 'the money has left the platform, so the amount must be deducted',
  },
  finish: {
    by: 'payments',
    on: message.balanceWithdrawalConsumed,
    does: 'the withdrawal is WITHDRAWAL_COMPLETED',
    publishes: [message.withdrawalCompleted],
    ends: 'succeeded',
  },
});
