import * as message from '../messages/index.js';
import { saga } from './saga.js';
import {
  contradictionSteps,
  correctionSteps,
  milestonePayoutEvents,
  settlementAbortSteps,
  settlementEvents,
} from './settlement-steps.js';

export const resolveMilestoneDisputeSaga = saga(
  'resolve-milestone-dispute',
  'Executes the decision on the dispute of one milestone: pays the seller, the buyer, or both.',
  {
    start: {
      by: 'orders',
      does: 'the milestone has an operation',
      publishes: [message.escrowSettlementRequested],
    },
    settle: {
      by: 'escrow-adapter',
      on: message.escrowSettlementRequested,
      does: 'releases the milestone, or disputes it (buyer) and resolves it (platform)',
      publishes: [message.escrowMilestoneSettled],
      informs: milestonePayoutEvents,
      orElse: [message.escrowSettlementFailed, message.escrowSettlementContradicted],
      calls: ['complete', 'approve', 'release', 'dispute', 'resolve'],
      pointOfNoReturn: true,
      deadline: 'SAGA_ABORT_AFTER_MS',
    },
    pay: {
      by: 'ledger-balance',
      on: message.escrowMilestoneSettled,
      does: "pays the seller, the platform's fee and the buyer, as decided",
      publishes: [message.balanceCredited, message.balanceEscrowSettled],
      orElse: [message.balanceSettlementContradicted],
    },
    finish: {
      by: 'orders',
      on: [message.escrowMilestoneSettled, message.balanceEscrowSettled],
      does: 'the dispute is RESOLVED, the milestone RELEASED, REFUNDED or SPLIT; after the last one the order is CLOSED',
      publishes: settlementEvents,
      ends: 'succeeded',
    },
    revert: {
      by: 'orders',
      on: message.escrowSettlementFailed,
      does: 'the milestone is DISPUTED and the dispute UNDER_REVIEW, as before',
      publishes: [message.auditRecorded],
      compensates: 'start',
      ends: 'failed',
    },
    ...settlementAbortSteps,
    ...contradictionSteps,
    ...correctionSteps,
  },
);
