import * as message from '../messages/index.js';
import { saga } from './saga.js';

export const openCaseSaga = saga('open-case', 'Books money that belongs to no operation to the suspense account.', {
  start: {
    by: 'payments',
    does: 'opens the case',
    publishes: [message.caseBookingRequested],
  },
  book: {
    by: 'ledger-balance',
    on: message.caseBookingRequested,
    does: 'books the money to the suspense account, once per case',
    publishes: [message.balanceCaseBooked],
    pointOfNoReturn: true,
    noDeadline: 'the money is there, so it must be booked',
  },
  finish: {
    by: 'payments',
    on: message.balanceCaseBooked,
    does: 'the case can be resolved',
    publishes: [],
    ends: 'succeeded',
  },
});
