import * as message from '../../contracts/messages/index.js';
import { saga } from '../declaration/index.js';

export const releaseSaga = saga({
  name: 'release',
  summary: 'Pays the seller out of the contract.',
  steps: [
    {
      by: 'orders',
      does: 'the order is RELEASE_REQUESTED',
      tells: [message.orderReleaseRequested, message.escrowSettlementRequested],
    },
    {
      by: 'escrow-adapter',
      on: message.escrowSettlementRequested,
      does: 'completes the milestones (seller), approves them and releases (buyer)',
      tells: [message.escrowReleased],
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
      does: "pays the seller and the platform's fee",
      tells: [message.balanceCredited, message.balanceEscrowSettled],
    },
    {
      by: 'orders',
      on: message.balanceEscrowSettled,
      does: 'the order is RELEASED and CLOSED, the escrow RELEASED',
      tells: [message.orderReleased, message.orderClosed],
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
