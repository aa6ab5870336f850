import * as message from '../../contracts/messages/index.js';
import { saga } from '../declaration/index.js';

export const createEscrowSaga = saga({
  name: 'create-escrow',
  summary: "Deploys an order's contract on the ledger network.",
  steps: [
    {
      by: 'orders',
      does: 'the order is ESCROW_CREATING and has an escrow',
      tells: [message.orderEscrowCreating, message.escrowDeployRequested],
    },
    {
      by: 'escrow-adapter',
      on: message.escrowDeployRequested,
      does: 'deploys the contract, signed by the buyer',
      tells: [message.escrowCreated],
      orElse: [message.escrowCreationFailed, message.escrowCreationUnconfirmed],
      isPointOfNoReturn: true,
    },
    {
      by: 'orders',
      on: message.escrowCreated,
      does: 'the order is ESCROW_FUNDING, the escrow CREATED',
      tells: [message.orderEscrowFunding],
      ends: 'succeeded',
    },
    {
      by: 'orders',
      on: message.escrowCreationUnconfirmed,
      does: 'the order stays ESCROW_CREATING until the provider reports the contract',
      ends: 'succeeded',
    },
    {
      by: 'orders',
      on: message.escrowCreationFailed,
      does: 'the order is FUNDS_RESERVED again and has no escrow',
      tells: [message.auditRecorded],
      isCompensation: true,
      ends: 'failed',
    },
  ],
});
