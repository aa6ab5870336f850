import * as message from '../messages/index.js';
import { saga } from './saga.js';

export const reserveSaga = saga('reserve', "Reserves the buyer's funds for an order.", {
  start: {
    by: 'orders',
    does: 'starts the run, which blocks other sagas on the order',
    publishes: [message.orderReserveRequested],
  },
  reserve: {
    by: 'ledger-balance',
    on: message.orderReserveRequested,
    does: 'moves available funds to reserved',
    publishes: [message.balanceReserved, message.balanceReservationMade],
    orElse: [message.balanceReservationRefused],
    pointOfNoReturn: true,
    deadline: 'SAGA_ABORT_AFTER_MS',
  },
  finish: {
    by: 'orders',
    on: message.balanceReservationMade,
    does: 'the order is FUNDS_RESERVED',
    publishes: [message.orderFundsReserved],
    ends: 'succeeded',
  },
  refuse: {
    by: 'orders',
    on: message.balanceReservationRefused,
    does: 'the order stays ORDER_CREATED',
    publishes: [],
    ends: 'failed',
  },
  requestAbort: {
    by: 'orders',
    afterDeadlineOf: 'reserve',
    does: 'requests that the run is aborted; the run stays open until a reply ends it',
    publishes: [message.orderAbortRequested],
  },
  abort: {
    by: 'ledger-balance',
    on: message.orderAbortRequested,
    does: 'refuses the reservation from now on, unless it was made',
    publishes: [message.balanceReservationRefused],
    aborts: 'reserve',
  },
});
