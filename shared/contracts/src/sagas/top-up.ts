import * as message from '../messages/index.js';
import { saga } from './saga.js';

export const topUpSaga = saga('top-up', 'Credits a payment that the payment provider has received.', {
  start: {
    by: 'payments',
    does: 'learns from the payment provider that the payment was received; the top-up is TOPUP_PROCESSING',
    publishes: [message.topupProcessing, message.topupCreditRequested],
    calls: ['create-payin'],
  },
  credit: {
    by: 'ledger-balance',
    on: message.topupCreditRequested,
    does: 'credits the user, once per top-up',
    publishes: [message.balanceCredited, message.balanceTopupCredited],
    orElse: [message.balanceTopupRefused],
    pointOfNoReturn: true,
    noDeadline: 'the payment provider has the money, which must be credited',
  },
  finish: {
    by: 'payments',
    on: message.balanceTopupCredited,
    does: 'the top-up is TOPUP_SUCCEEDED',
    publishes: [message.topupSucceeded],
    ends: 'succeeded',
  },
  refuse: {
    by: 'payments',
    on: message.balanceTopupRefused,
    does: 'the top-up is TOPUP_FAILED, and a reconciliation case holds the money',
    publishes: [message.topupFailed],
    ends: 'failed',
  },
});
