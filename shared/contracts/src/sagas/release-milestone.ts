import * as message from '../messages/index.js';
import { saga } from './saga.js';
import {
  contradictionSteps,
  correctionSteps,
  milestonePayoutEvents,
  settlementAbortSteps,
  settlementEvents,
} from './settlement-steps.js';

/** After an external release of a milestone, escrow-adapter publishes the reply of its step, and the saga continues without a run. */
export const releaseMilestoneSaga = saga('release-milestone', 'Pays the seller for one milestone from the contract.', {
  start: {
    by: 'orders',
    does: 'the milestone has an operation',
    publishes: [message.escrowSettlementRequested],
  },
  settle: {
    by: 'escrow-adapter',
    on: message.escrowSettlementRequested,
    does: 'completes the milestone (seller), approves and releases it (buyer)',
    publishes: [message.escrowMilestoneSettled],
    informs: milestonePayoutEvents,
    orElse: [message.escrowSettlementFailed, message.escrowSettlementContradicted],
    calls: ['complete', 'approve', 'release'],
    pointOfNoReturn: true,
    deadline: 'SAGA_ABORT_AFTER_MS',
  },
  pay: {
    by: 'ledger-balance',
    on: message.escrowMilestoneSettled,
    does: "pays the seller and the platform's fee",
    publishes: [message.balanceCredited, message.balanceEscrowSettled],
    orElse: [message.balanceSettlementContradicted],
  },
  finish: {
    by: 'orders',
    on: [message.escrowMilestoneSettled, message.balanceEscrowSettled],
    does: 'the milestone is RELEASED; after the last one the order is CLOSED',
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
