import * as message from '../messages/index.js';
import { saga } from './saga.js';
import { contradictionSteps, correctionSteps, settlementAbortSteps, settlementEvents } from './settlement-steps.js';

/** After an external release of a contract, escrow-adapter publishes the reply of its step, and the saga continues without a run. */
export const releaseSaga = saga('release', 'Pays the seller from the contract.', {
  start: {
    by: 'orders',
    does: 'the order is RELEASE_REQUESTED',
    publishes: [message.orderReleaseRequested, message.escrowSettlementRequested],
  },
  settle: {
    by: 'escrow-adapter',
    on: message.escrowSettlementRequested,
    does: 'completes the milestones (seller), approves them and releases (buyer)',
    publishes: [message.escrowReleased],
    orElse: [message.escrowSettlementFailed, message.escrowSettlementContradicted],
    calls: ['complete', 'approve', 'release'],
    pointOfNoReturn: true,
    deadline: 'SAGA_ABORT_AFTER_MS',
  },
  pay: {
    by: 'ledger-balance',
    on: message.escrowReleased,
    does: "pays the seller and the platform's fee",
    publishes: [message.balanceCredited, message.balanceEscrowSettled],
    orElse: [message.balanceSettlementContradicted],
  },
  finish: {
    by: 'orders',
    on: [message.escrowReleased, message.balanceEscrowSettled],
    does: 'the order is RELEASED and CLOSED, the escrow RELEASED',
    publishes: settlementEvents,
    ends: 'succeeded',
  },
  revert: {
    by: 'orders',
    on: message.escrowSettlementFailed,
    does: 'the order is IN_PROGRESS again',
    publishes: [message.auditRecorded, message.orderClosed],
    compensates: 'start',
    ends: 'failed',
  },
  ...settlementAbortSteps,
  ...contradictionSteps,
  ...correctionSteps,
});
