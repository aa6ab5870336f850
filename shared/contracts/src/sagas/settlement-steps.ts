import * as message from '../messages/index.js';

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

/** What ends the retries of a saga that pays a contract out, when the contract or the ledger contradicts the decision. */
export const contradictionSteps = {
  stopAtContract: {
    by: 'orders',
    on: message.escrowSettlementContradicted,
    does: 'stops the retries of the run; an operator must look',
    publishes: [message.auditRecorded],
  },
  stopAtLedger: {
    by: 'orders',
    on: message.balanceSettlementContradicted,
    does: 'stops the retries of the run; an operator must look',
    publishes: [message.auditRecorded],
  },
} as const;
