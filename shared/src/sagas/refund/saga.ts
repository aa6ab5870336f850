import * as message from '../../contracts/messages/index.js';
import { saga } from '../declaration/index.js';

export const refundSaga = saga({
  name: 'refund',
  summary: 'Pays the buyer back out of the contract.',
  steps: [
    {
      by: 'orders',
      does: 'the order is REFUND_REQUESTED',
      tells: [message.orderRefundRequested, message.escrowSettlementRequested],
    },
    {
      by: 'escrow-adapter',
      on: message.escrowSettlementRequested,
      does: 'disputes the contract (buyer) and resolves it to the buyer (platform)',
      tells: [message.escrowRefunded],
      orElse: [message.escrowSettlementFailed],
      isPointOfNoReturn: true,
    },
    {
      by: 'orders',
      on: message.escrowRefunded,
      does: 'notes that the contract has paid, and when',
    },
    {
      by: 'ledger-balance',
      on: message.escrowRefunded,
      does: 'credits the buyer in full',
      tells: [message.balanceCredited, message.balanceEscrowSettled],
    },
    {
      by: 'orders',
      on: message.balanceEscrowSettled,
      does: 'the order is REFUNDED and CLOSED, the escrow REFUNDED',
      tells: [message.orderRefunded, message.orderClosed],
      ends: 'succeeded',
    },
    {
      by: 'orders',
      on: message.escrowSettlementFailed,
      does: 'the order is IN_PROGRESS again',
      tells: [message.auditRecorded],
      isCompensation: true,
      ends: 'failed',
    },
  ],
});
