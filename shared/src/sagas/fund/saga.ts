import * as message from '../../contracts/messages/index.js';
import { saga } from '../declaration/index.js';

export const fundSaga = saga({
  name: 'fund',
  summary: "Moves an order's reserved funds into its contract.",
  steps: [
    {
      by: 'orders',
      does: 'the escrow is FUNDING',
      tells: [message.escrowFundingStarted, message.orderFundRequested],
    },
    {
      by: 'ledger-balance',
      on: message.orderFundRequested,
      does: "moves reserved funds to the order's escrow account",
      tells: [message.balanceReleased, message.balanceReservedDeducted],
      orElse: [message.balanceDeductionRefused],
    },
    {
      by: 'escrow-adapter',
      on: message.balanceReservedDeducted,
      does: 'funds the contract',
      tells: [message.escrowFunded],
      orElse: [message.escrowFundingFailed],
      isPointOfNoReturn: true,
    },
    {
      by: 'orders',
      on: message.escrowFunded,
      does: 'the order is IN_PROGRESS, the escrow FUNDED',
      tells: [message.orderEscrowFunded, message.orderInProgress],
      ends: 'succeeded',
    },
    {
      by: 'orders',
      on: message.balanceDeductionRefused,
      does: 'the order stays where it was, the escrow is CREATED again',
      ends: 'failed',
    },
    {
      by: 'ledger-balance',
      on: message.escrowFundingFailed,
      does: 'moves the funds back into the reservation',
      tells: [message.balanceReserved, message.balanceDeductionRestored],
      isCompensation: true,
    },
    {
      by: 'orders',
      on: message.balanceDeductionRestored,
      does: 'the order is FUNDS_RESERVED, the escrow CREATED',
      tells: [message.auditRecorded],
      isCompensation: true,
      ends: 'failed',
    },
  ],
});
