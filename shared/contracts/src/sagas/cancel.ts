import * as message from '../messages/index.js';
import { saga } from './saga.js';

export const cancelSaga = saga('cancel', 'Cancels an order and releases its reserved funds.', {
  start: {
    by: 'orders',
    does: 'starts the run, which blocks other sagas on the order',
    publishes: [message.orderCancelRequested],
    pointOfNoReturn: true,
    noDeadline: 'the ledger frees a reservation in every state, so resending the command always ends the run',
  },
  free: {
    by: 'ledger-balance',
    on: message.orderCancelRequested,
    does: 'moves the reserved funds of the order to available',
    publishes: [message.balanceReleased, message.balanceReservationFreed],
  },
  finish: {
    by: 'orders',
    on: message.balanceReservationFreed,
    does: 'the order is CLOSED and canceled',
    publishes: [message.orderCanceled, message.orderClosed],
    ends: 'succeeded',
  },
});
