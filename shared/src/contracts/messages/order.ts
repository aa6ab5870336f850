import { z } from 'zod';
import { amountOut, currency, id, opaqueId } from '../shapes/index.js';
import { message } from './message.js';

const asksLedger = {
  version: 1,
  visibility: 'internal',
  aggregateType: 'Order',
  publisher: 'orders',
  listeners: ['ledger-balance'],
} as const;
const buyerFunds = { orderId: opaqueId, userId: id('usr'), amount: amountOut, currency };

export const orderReserveRequested = message({
  ...asksLedger,
  type: 'order.reserve_requested',
  summary: "Reserve the buyer's funds for the order.",
  payload: z.strictObject(buyerFunds),
});

export const orderCancelRequested = message({
  ...asksLedger,
  type: 'order.cancel_requested',
  summary: 'Free whatever is reserved for the order.',
  payload: z.strictObject({ ...buyerFunds, reason: z.string().optional() }),
});

export const orderFundRequested = message({
  ...asksLedger,
  type: 'order.fund_requested',
  summary: "Move the order's reserved funds to its escrow account.",
  payload: z.strictObject(buyerFunds),
});

export const orderMessages = [orderReserveRequested, orderCancelRequested, orderFundRequested] as const;
