import * as message from '../messages/index.js';
import { saga } from './saga.js';
import { contradictionSteps, correctionSteps, settlementAbortSteps, settlementEvents } from './settlement-steps.js';

const summary = 'Executes the decision on a dispute: pays the seller, the buyer, or both.';

export const resolveDisputeSaga = saga('resolve-dispute', summary, {
  start: {
    by: 'orders',
    does: 'the order is RELEASE_REQUESTED or REFUND_REQUESTED',
    publishes: [message.orderReleaseRequested, message.orderRefundRequested, message.escrowSettlementRequested],
  },
  settle: {
    by: 'escrow-adapter',
    on: message.escrowSettlementRequested,
    does: 'releases the contract, or disputes it (buyer) and resolves it (platform)',
    publishes: [message.escrowReleased, message.escrowRefunded],
    orElse: [message.escrowSettlementFailed, message.escrowSettlementContradicted],
    calls: ['complete', 'approve', 'release', 'dispute', 'resolve'],
    pointOfNoReturn: true,
    deadline: 'SAGA_ABORT_AFTER_MS',
  },
  payRelease: {
    by: 'ledger-balance',
    on: message.escrowReleased,
    does: "pays the seller, the platform's fee and, after a split, the buyer",
    publishes: [message.balanceCredited, message.balanceEscrowSettled],
    orElse: [message.balanceSettlementContradicted],
  },
  payRefund: {
    by: 'ledger-balance',
    on: message.escrowRefunded,
    does: 'credits the buyer in full',
    publishes: [message.balanceCredited, message.balanceEscrowSettled],
    orElse: [message.balanceSettlementContradicted],
  },
  finishRelease: {
    by: 'orders',
    on: [message.escrowReleased, message.balanceEscrowSettled],
    does: 'the order is RELEASED and CLOSED, the dispute RESOLVED',
    publishes: settlementEvents,
    ends: 'succeeded',
  },
  finishRefund: {
    by: 'orders',
    on: [message.escrowRefunded, message.balanceEscrowSettled],
    does: 'the order is REFUNDED and CLOSED, the dispute RESOLVED',
    publishes: settlementEvents,
    ends: 'succeeded',
  },
  revert: {
    by: 'orders',
    on: message.escrowSettlementFailed,
    does: 'the order is DISPUTED and the dispute UNDER_REVIEW, as before',
    publishes: [message.auditRecorded, message.orderClosed],
    compensates: 'start',
    ends: 'failed',
  },
  ...settlementAbortSteps,
  ...contradictionSteps,
  ...correctionSteps,
});
