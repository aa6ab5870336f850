import * as message from '../messages/index.js';
import { saga } from './saga.js';
import { ledgerContradictionSteps } from './settlement-steps.js';

export const fundSaga = saga('fund', "Moves an order's reserved funds into its contract.", {
  start: {
    by: 'orders',
    does: 'the escrow is FUNDING',
    publishes: [message.escrowFundingStarted, message.orderFundRequested],
  },
  deduct: {
    by: 'ledger-balance',
    on: message.orderFundRequested,
    does: "moves reserved funds to the order's escrow account",
    publishes: [message.balanceReleased, message.balanceReservedDeducted],
    orElse: [message.balanceDeductionRefused],
  },
  fund: {
    by: 'escrow-adapter',
    on: message.balanceReservedDeducted,
    does: 'funds the contract',
    publishes: [message.escrowFunded],
    orElse: [message.escrowFundingFailed],
    calls: ['fund'],
    pointOfNoReturn: true,
    deadline: 'SAGA_ABORT_AFTER_MS',
  },
  finish: {
    by: 'orders',
    on: message.escrowFunded,
    does: 'the order is IN_PROGRESS, the escrow FUNDED',
    publishes: [message.orderEscrowFunded, message.orderInProgress],
    ends: 'succeeded',
  },
  refuse: {
    by: 'orders',
    on: message.balanceDeductionRefused,
    does: 'the order is FUNDS_RESERVED, the escrow CREATED',
    publishes: [],
    ends: 'failed',
  },
  restore: {
    by: 'ledger-balance',
    on: message.escrowFundingFailed,
    does: 'moves the funds back into the reservation; if they were never deducted, refuses the deduction from now on',
    publishes: [message.balanceReserved, message.balanceDeductionRestored],
    orElse: [message.balanceSettlementContradicted],
    compensates: 'deduct',
  },
  revert: {
    by: 'orders',
    on: message.balanceDeductionRestored,
    does: 'the order is FUNDS_RESERVED, the escrow CREATED',
    publishes: [message.auditRecorded],
    compensates: 'start',
    ends: 'failed',
  },
  requestAbort: {
    by: 'orders',
    afterDeadlineOf: 'fund',
    does: 'requests that the run is aborted; the run stays open until a reply ends it',
    publishes: [message.escrowAbortRequested],
  },
  abort: {
    by: 'escrow-adapter',
    on: message.escrowAbortRequested,
    does: 'refuses the funding from now on, unless its intent is stored',
    publishes: [message.escrowFundingFailed],
    aborts: 'fund',
  },
  ...ledgerContradictionSteps,
});
