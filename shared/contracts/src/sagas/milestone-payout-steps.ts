import * as message from '../messages/index.js';
import type { ProviderOperation } from './saga.js';
import {
  contradictionSteps,
  correctionSteps,
  milestonePayoutEvents,
  settlementAbortSteps,
  settlementEvents,
} from './settlement-steps.js';

/** What differs between the sagas that pay out one milestone. */
type MilestonePayout = {
  /** What escrow-adapter does, and the provider operations for it. */
  readonly settles: string;
  readonly calls: readonly ProviderOperation[];
  /** What ledger-balance does. */
  readonly pays: string;
  /** How the milestone ends, and how it is after a failure. */
  readonly ends: string;
  readonly reverts: string;
};

/**
 * The steps of a saga that pays out one milestone. After a payout outside the platform, escrow-adapter publishes the reply of its step,
 * and the saga continues without a run.
 */
export function milestonePayoutSteps({ settles, calls, pays, ends, reverts }: MilestonePayout) {
  return {
    start: {
      by: 'orders',
      does: 'the milestone has an operation',
      publishes: [message.escrowSettlementRequested],
    },
    settle: {
      by: 'escrow-adapter',
      on: message.escrowSettlementRequested,
      does: settles,
      publishes: [message.escrowMilestoneSettled],
      informs: milestonePayoutEvents,
      orElse: [message.escrowSettlementFailed, message.escrowSettlementContradicted],
      calls,
      pointOfNoReturn: true,
      deadline: 'SAGA_ABORT_AFTER_MS',
    },
    pay: {
      by: 'ledger-balance',
      on: message.escrowMilestoneSettled,
      does: pays,
      publishes: [message.balanceCredited, message.balanceEscrowSettled],
      orElse: [message.balanceSettlementContradicted],
    },
    finish: {
      by: 'orders',
      on: [message.escrowMilestoneSettled, message.balanceEscrowSettled],
      does: `${ends}; after the last one the order is CLOSED`,
      publishes: settlementEvents,
      ends: 'succeeded',
    },
    revert: {
      by: 'orders',
      on: message.escrowSettlementFailed,
      does: reverts,
      publishes: [message.auditRecorded, message.orderClosed],
      compensates: 'start',
      ends: 'failed',
    },
    ...settlementAbortSteps,
    ...contradictionSteps,
    ...correctionSteps,
  } as const;
}
