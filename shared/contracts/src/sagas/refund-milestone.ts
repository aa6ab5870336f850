import * as message from '../messages/index.js';
import { saga } from './saga.js';
import {
  contradictionSteps,
  correctionSteps,
  milestonePayoutEvents,
  settlementAbortSteps,
  settlementEvents,
} from './settlement-steps.js';

/** After an external refund of a milestone, escrow-adapter publishes the reply of its step, and the saga continues without a run. */
export const refundMilestoneSaga = saga('refund-milestone', 'Refunds one milestone to the buyer from the contract.', {
  start: {
    by: 'orders',
    does: 'the milestone has an operation',
    publishes: [message.escrowSettlementRequested],
  },
  settle: {
    by: 'escrow-adapter',
    on: message.escrowSettlementRequested,
    does: 'disputes the milestone (buyer) and resolves it to the buyer (platform)',
    publishes: [message.escrowMilestoneSettled],
    informs: milestonePayoutEvents,
    orElse: [message.escrowSettlementFailed, message.escrowSettlementContradicted],
    calls: ['dispute', 'resolve'],
    pointOfNoReturn: true,
    deadline: 'SAGA_ABORT_AFTER_MS',
  },
  pay: {
    by: 'ledger-balance',
    on: message.escrowMilestoneSettled,
    does: 'credits the buyer',
    publishes: [message.balanceCredited, message.balanceEscrowSettled],
    orElse: [message.balanceSettlementContradicted],
  },
  finish: {
    by: 'orders',
    on: [message.escrowMilestoneSettled, message.balanceEscrowSettled],
    does: 'the milestone is REFUNDED; after the last one the order is CLOSED',
    publishes: settlementEvents,
    ends: 'succeeded',
  },
  revert: {
    by: 'orders',
    on: message.escrowSettlementFailed,
    does: 'the milestone has its earlier status and no operation',
    publishes: [message.auditRecorded],
    compensates: 'start',
    ends: 'failed',
  },
  ...settlementAbortSteps,
  ...contradictionSteps,
  ...correctionSteps,
});
