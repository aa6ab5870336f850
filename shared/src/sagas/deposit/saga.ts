import * as message from '../../contracts/messages/index.js';
import { saga } from '../declaration/index.js';

export const depositSaga = saga({
  name: 'deposit',
  summary: "Credits a payment that arrived in a user's wallet.",
  steps: [
    {
      by: 'escrow-adapter',
      does: 'sees a payment on the ledger network that is not its own',
      tells: [message.balanceDepositReceived, message.custodyTransactionsLanded],
    },
    {
      by: 'ledger-balance',
      on: message.balanceDepositReceived,
      does: 'credits the user, once per ledger operation',
      tells: [message.balanceCredited],
      isPointOfNoReturn: true,
      ends: 'succeeded',
    },
    {
      by: 'ledger-balance',
      on: message.custodyTransactionsLanded,
      does: 'books where the tokens are',
    },
  ],
});
