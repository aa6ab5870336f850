import * as message from '../messages/index.js';
import { saga } from './saga.js';

export const depositSaga = saga('deposit', "Credits a payment that arrived in a user's wallet.", {
  start: {
    by: 'escrow-adapter',
    does: 'sees a payment on the ledger network that is not its own',
    publishes: [message.balanceDepositReceived],
  },
  credit: {
    by: 'ledger-balance',
    on: message.balanceDepositReceived,
    does: 'credits the user, once per ledger operation',
    publishes: [message.balanceCredited],
    pointOfNoReturn: true,
    ends: 'succeeded',
  },
});
