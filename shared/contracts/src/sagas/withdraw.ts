import * as message from '../messages/index.js';
import { saga } from './saga.js';

export const withdrawSaga = saga('withdraw', 'Reserves the amount of a withdrawal.', {
  start: {
    by: 'payments',
    does: 'stores the withdrawal, which is not visible until its amount is reserved',
    publishes: [message.withdrawalReserveRequested],
  },
  reserve: {
    by: 'ledger-balance',
    on: message.withdrawalReserveRequested,
    does: 'moves available funds to reserved',
    publishes: [message.balanceReserved, message.balanceWithdrawalReserved],
    orElse: [message.balanceWithdrawalRefused],
    pointOfNoReturn: true,
    deadline: 'SAGA_ABORT_AFTER_MS',
  },
  finish: {
    by: 'payments',
    on: message.balanceWithdrawalReserved,
    does: 'the withdrawal is WITHDRAWAL_CREATED, or WITHDRAWAL_COMMITTED if the request asked for it',
    publishes: [message.withdrawalCreated, message.withdrawalCommitted],
    ends: 'succeeded',
  },
  refuse: {
    by: 'payments',
    on: message.balanceWithdrawalRefused,
    does: 'deletes the withdrawal',
    publishes: [],
    ends: 'failed',
  },
  requestAbort: {
    by: 'payments',
    afterDeadlineOf: 'reserve',
    does: 'requests that the run is aborted; the run stays open until a reply ends it',
    publishes: [message.withdrawalAbortRequested],
  },
  abort: {
    by: 'ledger-balance',
    on: message.withdrawalAbortRequested,
    does: 'refuses the reservation from now on, unless it was made',
    publishes: [message.balanceWithdrawalRefused],
    aborts: 'reserve',
  },
});
