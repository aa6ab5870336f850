import * as message from '../messages/index.js';
import { saga } from './saga.js';

export const cancelSaga = saga('cancel', 'Cancels an order and releases its reserved funds.', {
  start: {
    by: 'orders',
    does: 'starts the run, which blocks other operations on the order',
    publishes: [message.orderCancelRequested],
    pointOfNoReturn: true,
    noDeadline: 'the ledger frees a hold in every state, so resending the command always ends the run',
  },
  free: {
    by: 'ledger-balance',
    on: message.orderCancelRequested,
    does: 'moves the reserved funds of the order to available',
    publishes: [message.balanceReleased, message.balanceHoldFreed],
  },
  finish: {
    by: 'orders',
    on: message.balanceHoldFreed,
    does: 'the order is CLOSED and canceled',
    publishes: [message.orderCanceled, message.orderClosed],
    ends: 'succeeded',
  },
});
