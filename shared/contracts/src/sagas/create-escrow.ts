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
    deadline: 'SAGA_ABORT_AFTER_MS',
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
  requestAbort: {
    by: 'orders',
    afterDeadlineOf: 'deploy',
    does: 'requests that the run is aborted; the run stays open until a reply ends it',
    publishes: [message.escrowAbortRequested],
  },
  abort: {
    by: 'escrow-adapter',
    on: message.escrowAbortRequested,
    does: 'refuses the deployment from now on, unless its intent is stored',
    publishes: [message.escrowCreationFailed],
    aborts: 'deploy',
  },
});
