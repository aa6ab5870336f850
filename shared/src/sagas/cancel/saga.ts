import * as message from '../../contracts/messages/index.js';
import { saga } from '../declaration/index.js';

export const cancelSaga = saga({
  name: 'cancel',
  summary: 'Calls an order off and makes what was set aside for it available again.',
  steps: [
    { by: 'orders', does: 'marks the order as busy', tells: [message.orderCancelRequested], isPointOfNoReturn: true },
    {
      by: 'ledger-balance',
      on: message.orderCancelRequested,
      does: 'moves whatever the order holds back to available',
      tells: [message.balanceReleased, message.balanceHoldFreed],
    },
    {
      by: 'orders',
      on: message.balanceHoldFreed,
      does: 'the order is CLOSED, canceled',
      tells: [message.orderCanceled, message.orderClosed],
      ends: 'succeeded',
    },
  ],
});
