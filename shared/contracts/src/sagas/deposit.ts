import * as message from '../messages/index.js';
import { saga } from './saga.js';

export const depositSaga = saga('deposit', "Credits a payment that arrived in a user's wallet.", {
  start: {
    by: 'escrow-adapter',
    does: 'detects an incoming payment on the ledger network',
    publishes: [message.balanceDepositReceived],
  },
  credit: {
    by: 'ledger-balance',
    on: message.balanceDepositReceived,
    does: 'credits the user, once per ledger operation',
    publishes: [message.balanceCredited],
    pointOfNoReturn: true,
    noDeadline: 'the payment is on the ledger network and must be credited',
    ends: 'succeeded',
  },
});
