import * as message from '../messages/index.js';
import { saga } from './saga.js';

export const cancelSaga = saga('cancel', 'Calls an order off and makes what was set aside for it available again.', {
  start: {
    by: 'orders',
    does: 'marks the order as busy',
    publishes: [message.orderCancelRequested],
    pointOfNoReturn: true,
  },
  free: {
    by: 'ledger-balance',
    on: message.orderCancelRequested,
    does: 'moves whatever the order holds back to available',
    publishes: [message.balanceReleased, message.balanceHoldFreed],
  },
  finish: {
    by: 'orders',
    on: message.balanceHoldFreed,
    does: 'the order is CLOSED, canceled',
    publishes: [message.orderCanceled, message.orderClosed],
    ends: 'succeeded',
  },
});
