import * as message from '../messages/index.js';
import { saga } from './saga.js';
import { contradictionSteps, correctionSteps, settlementAbortSteps, settlementEvents } from './settlement-steps.js';

/** After an external refund of a contract, escrow-adapter publishes the reply of its step, and the saga continues without a run. */
export const refundSaga = saga('refund', 'Refunds the buyer from the contract.', {
  start: {
    by: 'orders',
    does: 'the order is REFUND_REQUESTED',
    publishes: [message.orderRefundRequested, message.escrowSettlementRequested],
  },
  settle: {
    by: 'escrow-adapter',
    on: message.escrowSettlementRequested,
    does: 'disputes the contract (buyer) and resolves it to the buyer (platform)',
    publishes: [message.escrowRefunded],
    orElse: [message.escrowSettlementFailed, message.escrowSettlementContradicted],
    calls: ['dispute', 'resolve'],
    pointOfNoReturn: true,
    deadline: 'SAGA_ABORT_AFTER_MS',
  },
  pay: {
    by: 'ledger-balance',
    on: message.escrowRefunded,
    does: 'credits the buyer in full',
    publishes: [message.balanceCredited, message.balanceEscrowSettled],
    orElse: [message.balanceSettlementContradicted],
  },
  finish: {
    by: 'orders',
    on: [message.escrowRefunded, message.balanceEscrowSettled],
    does: 'the order is REFUNDED and CLOSED, the escrow REFUNDED',
    publishes: settlementEvents,
    ends: 'succeeded',
  },
  revert: {
    by: 'orders',
    on: message.escrowSettlementFailed,
    does: 'the order is IN_PROGRESS again, the escrow DISPUTED if its contract is',
    publishes: [message.auditRecorded, message.orderClosed],
    compensates: 'start',
    ends: 'failed',
  },
  ...settlementAbortSteps,
  ...contradictionSteps,
  ...correctionSteps,
});
