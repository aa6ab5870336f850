import * as message from '../messages/index.js';
import { saga } from './saga.js';

export const createEscrowSaga = saga('create-escrow', "Deploys an order's contract on the ledger network.", {
  start: {
    by: 'orders',
    does: 'the order is ESCROW_CREATING and has an escrow',
    publishes: [message.orderEscrowCreating, message.escrowDeployRequested],
  },
  deploy: {
    by: 'escrow-adapter',
    on: message.escrowDeployRequested,
    does: 'deploys the contract, signed by the buyer',
    publishes: [message.escrowCreated],
    orElse: [message.escrowCreationFailed, message.escrowCreationUnconfirmed],
    calls: ['deploy'],
    pointOfNoReturn: true,
  },
  finish: {
    by: 'orders',
    on: message.escrowCreated,
    does: 'the order is ESCROW_FUNDING, the escrow CREATED',
    publishes: [message.orderEscrowFunding],
    ends: 'succeeded',
  },
  finishUnconfirmed: {
    by: 'orders',
    on: message.escrowCreationUnconfirmed,
    does: 'the order stays ESCROW_CREATING until the provider reports the contract',
    publishes: [],
    ends: 'succeeded',
  },
  revert: {
    by: 'orders',
    on: message.escrowCreationFailed,
    does: 'the order is FUNDS_RESERVED again and has no escrow',
    publishes: [message.auditRecorded],
    compensates: 'start',
    ends: 'failed',
  },
});
