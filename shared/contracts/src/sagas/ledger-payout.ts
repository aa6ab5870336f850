import * as message from '../messages/index.js';
import { saga } from './saga.js';

export const ledgerPayoutSaga = saga('ledger-payout', 'Pays a withdrawal to an address on the ledger network.', {
  start: {
    by: 'payments',
    does: 'the withdrawal is WITHDRAWAL_COMMITTED',
    publishes: [message.withdrawalCommitted, message.withdrawalLedgerPayoutRequested],
  },
  pay: {
    by: 'escrow-adapter',
    on: message.withdrawalLedgerPayoutRequested,
    does: 'signs and submits the payment',
    publishes: [message.withdrawalLedgerPayoutLanded],
    orElse: [message.withdrawalLedgerPayoutFailed],
    pointOfNoReturn: true,
    noDeadline: 'a payment may land until its time bounds have passed, and its outcome always ends the run',
  },
  finish: {
    by: 'payments',
    on: message.withdrawalLedgerPayoutLanded,
    does: 'starts the saga that deducts the amount',
    publishes: [message.withdrawalPending],
    ends: 'succeeded',
  },
  fail: {
    by: 'payments',
    on: message.withdrawalLedgerPayoutFailed,
    does: 'starts the saga that frees the amount',
    publishes: [],
    ends: 'failed',
  },
});
