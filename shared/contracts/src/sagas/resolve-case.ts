import * as message from '../messages/index.js';
import { saga } from './saga.js';

export const resolveCaseSaga = saga('resolve-case', 'Books the money of a reconciliation case to where it belongs.', {
  start: {
    by: 'payments',
    does: 'records the decision; for a return, after the payout was completed',
    publishes: [message.caseResolutionRequested],
  },
  settle: {
    by: 'ledger-balance',
    on: message.caseResolutionRequested,
    does: 'moves the money out of the suspense account, once per case',
    publishes: [message.balanceCredited, message.balanceDebited, message.balanceCaseCleared],
    orElse: [message.balanceCaseRefused],
    pointOfNoReturn: true,
    noDeadline: 'the ledger settles or refuses in every state, so resending the command always ends the run',
  },
  finish: {
    by: 'payments',
    on: message.balanceCaseCleared,
    does: 'the case is RESOLVED',
    publishes: [message.caseResolved],
    ends: 'succeeded',
  },
  refuse: {
    by: 'payments',
    on: message.balanceCaseRefused,
    does: 'the case stays OPEN',
    publishes: [],
    ends: 'failed',
  },
});
