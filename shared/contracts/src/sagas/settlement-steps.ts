import * as message from '../messages/index.js';

/** What orders may publish once contract and ledger have paid. What was paid decides, whatever was requested. See ADR 0021. */
export const settlementEvents = [
  message.disputeResolved,
  message.orderReleased,
  message.orderRefunded,
  message.orderClosed,
] as const;

/** What escrow-adapter publishes about a milestone that it has paid out. The last milestone ends the escrow. */
export const milestonePayoutEvents = [
  message.milestoneReleased,
  message.milestoneRefunded,
  message.escrowReleased,
  message.escrowRefunded,
] as const;

/** The abort of a saga that pays a contract out. Its point of no return is the step `settle`. */
export const settlementAbortSteps = {
  requestAbort: {
    by: 'orders',
    afterDeadlineOf: 'settle',
    does: 'requests that the run is aborted; the run stays open until a reply ends it',
    publishes: [message.escrowAbortRequested],
  },
  abort: {
    by: 'escrow-adapter',
    on: message.escrowAbortRequested,
    does: 'refuses the payout from now on, unless its intent is stored',
    publishes: [message.escrowSettlementFailed],
    aborts: 'settle',
  },
} as const;

/** What ends the retries when the escrow account of the order does not hold what has to leave it. */
export const ledgerContradictionSteps = {
  stopAtLedger: {
    by: 'orders',
    on: message.balanceSettlementContradicted,
    does: 'stops the retries of the run; an operator must look',
    publishes: [message.auditRecorded],
  },
} as const;

/** What ends the retries of a saga that pays a contract out, when the contract or the ledger contradicts the decision. */
export const contradictionSteps = {
  stopAtContract: {
    by: 'orders',
    on: message.escrowSettlementContradicted,
    does: 'stops the retries of the run; an operator must look',
    publishes: [message.auditRecorded],
  },
  ...ledgerContradictionSteps,
} as const;

/** How an operator ends a run whose payout the ledger could not record (`npm run sagas -- resolve`). */
export const correctionSteps = {
  requestCorrection: {
    by: 'escrow-adapter',
    does: 'an operator has decided that the books record what the contract has paid',
    publishes: [message.escrowPayoutCorrectionRequested],
  },
  correct: {
    by: 'ledger-balance',
    on: message.escrowPayoutCorrectionRequested,
    does: 'pays as the contract did; what the escrow account lacks comes from the adjustments',
    publishes: [message.balanceCredited, message.balanceEscrowSettled],
    orElse: [message.balanceSettlementContradicted],
  },
} as const;
