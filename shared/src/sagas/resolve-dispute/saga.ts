import * as message from '../../contracts/messages/index.js';
import { saga } from '../declaration/index.js';

export const resolveDisputeSaga = saga({
  name: 'resolve-dispute',
  summary: 'Carries out the decision on a dispute: all to the seller, all to the buyer, or to both.',
  steps: [
    {
      by: 'orders',
      does: 'the order is RELEASE_REQUESTED or REFUND_REQUESTED',
      tells: [message.orderReleaseRequested, message.orderRefundRequested, message.escrowSettlementRequested],
    },
    {
      by: 'escrow-adapter',
      on: message.escrowSettlementRequested,
      does: 'releases the contract, or disputes it (buyer) and resolves it (platform)',
      tells: [message.escrowReleased, message.escrowRefunded],
      orElse: [message.escrowSettlementFailed],
      isPointOfNoReturn: true,
    },
    {
      by: 'orders',
      on: message.escrowReleased,
      does: 'notes that the contract has paid, and when',
    },
    {
      by: 'ledger-balance',
      on: message.escrowReleased,
      does: "pays the seller, the platform's fee and, after a split, the buyer",
      tells: [message.balanceCredited, message.balanceEscrowSettled],
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
      does: 'the order is CLOSED, the dispute RESOLVED',
      tells: [message.disputeResolved, message.orderReleased, message.orderRefunded, message.orderClosed],
      ends: 'succeeded',
    },
    {
      by: 'orders',
      on: message.escrowSettlementFailed,
      does: 'the order is DISPUTED and the dispute UNDER_REVIEW, as before',
      tells: [message.auditRecorded],
      isCompensation: true,
      ends: 'failed',
    },
  ],
});
