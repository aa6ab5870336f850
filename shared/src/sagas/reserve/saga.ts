import * as message from '../../contracts/messages/index.js';
import { saga } from '../declaration/index.js';

export const reserveSaga = saga({
  name: 'reserve',
  summary: "Sets the buyer's funds aside for an order.",
  steps: [
    { by: 'orders', does: 'marks the order as busy', tells: [message.orderReserveRequested] },
    {
      by: 'ledger-balance',
      on: message.orderReserveRequested,
      does: 'moves available funds to reserved ones',
      tells: [message.balanceReserved, message.balanceHoldPlaced],
      orElse: [message.balanceHoldRefused],
      isPointOfNoReturn: true,
    },
    {
      by: 'orders',
      on: message.balanceHoldPlaced,
      does: 'the order is FUNDS_RESERVED',
      tells: [message.orderFundsReserved],
      ends: 'succeeded',
    },
    { by: 'orders', on: message.balanceHoldRefused, does: 'the order stays ORDER_CREATED', ends: 'failed' },
  ],
});
