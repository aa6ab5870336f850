import { z } from 'zod';
import { amountOut, currency, id, instant, opaqueId } from '../shapes/index.js';
import { disputeParties, disputeReasons } from './dispute.js';
import { message } from './message.js';

export const orderStatuses = [
  'ORDER_CREATED',
  'FUNDS_RESERVED',
  'ESCROW_CREATING',
  'ESCROW_FUNDING',
  'IN_PROGRESS',
  'RELEASE_REQUESTED',
  'RELEASED',
  'REFUND_REQUESTED',
  'REFUNDED',
  'DISPUTED',
  'CLOSED',
] as const;
export type OrderStatus = (typeof orderStatuses)[number];

export const closeReasons = ['RELEASED', 'REFUNDED', 'SPLIT', 'CANCELED'] as const;
export type CloseReason = (typeof closeReasons)[number];

const orderMessage = { version: 1, aggregateType: 'Order', publisher: 'orders' } as const;
const publicMessage = { ...orderMessage, visibility: 'public' } as const;
const ledgerCommand = { ...orderMessage, visibility: 'internal' } as const;

const orderId = id('ord');
const escrowId = id('esc');
const reason = z.string().meta({ example: 'The buyer changed their mind.' });
const actor = z
  .string()
  .meta({ description: 'Id of a user or an API key, `master` or `timer`', example: 'key_01JB2M3N4P5Q6R7S8T9V0W1X2Y' });
const cause = z
  .enum(['review_period', 'not_delivered'])
  .optional()
  .meta({ description: 'Present if a timer caused it: no party objected in time, or nothing was delivered in time' });
const providerContractId = z.string().meta({ description: 'Contract address on the ledger network', example: 'CDLZ…' });

export const orderCreated = message({
  ...publicMessage,
  type: 'order.created',
  summary: 'An order was created.',
  payload: z.strictObject({
    orderId,
    buyerId: id('usr'),
    sellerId: id('usr'),
    amount: amountOut,
    currency,
    title: z.string().meta({ example: 'Logo design' }),
    description: z.string().meta({ example: 'Three drafts, two rounds of changes' }).optional(),
    clientOrderRef: z.string().meta({ example: 'cart-1042' }).optional(),
  }),
});

export const orderFundsReserved = message({
  ...publicMessage,
  type: 'order.funds_reserved',
  summary: "The buyer's funds were reserved for the order.",
  payload: z.strictObject({
    orderId,
    buyerId: id('usr'),
    amount: amountOut,
    currency,
    reservedBalance: amountOut,
    availableBalance: amountOut,
  }),
});

export const orderEscrowCreating = message({
  ...publicMessage,
  type: 'order.escrow_creating',
  summary: 'The escrow contract is being deployed.',
  payload: z.strictObject({ orderId, escrowId, amount: amountOut }),
});

export const orderEscrowFunding = message({
  ...publicMessage,
  type: 'order.escrow_funding',
  summary: 'The escrow contract is deployed and can be funded.',
  payload: z.strictObject({ orderId, escrowId, providerContractId, amount: amountOut }),
});

export const orderEscrowFunded = message({
  ...publicMessage,
  type: 'order.escrow_funded',
  summary: 'The escrow contract holds the funds.',
  payload: z.strictObject({ orderId, escrowId, providerContractId, amount: amountOut, fundedAt: instant }),
});

export const orderInProgress = message({
  ...publicMessage,
  type: 'order.in_progress',
  summary: 'The escrow is funded; the seller can start.',
  payload: z.strictObject({ orderId, escrowId }),
});

export const orderReleaseRequested = message({
  ...publicMessage,
  type: 'order.release_requested',
  summary: 'The release to the seller was requested.',
  payload: z.strictObject({ orderId, requestedBy: actor, requestedAt: instant, cause }),
});

export const orderReleased = message({
  ...publicMessage,
  type: 'order.released',
  summary: 'The seller was paid.',
  payload: z.strictObject({
    orderId,
    sellerId: id('usr'),
    amount: amountOut,
    currency,
    platformFee: amountOut,
    netAmount: amountOut,
    releasedAt: instant,
    newSellerBalance: amountOut,
  }),
});

export const orderRefundRequested = message({
  ...publicMessage,
  type: 'order.refund_requested',
  summary: 'The refund to the buyer was requested.',
  payload: z.strictObject({ orderId, requestedBy: actor, requestedAt: instant, cause }),
});

export const orderRefunded = message({
  ...publicMessage,
  type: 'order.refunded',
  summary: 'The buyer was refunded.',
  payload: z.strictObject({
    orderId,
    buyerId: id('usr'),
    amount: amountOut,
    currency,
    refundedAt: instant,
    newBuyerBalance: amountOut,
  }),
});

export const orderDisputed = message({
  ...publicMessage,
  type: 'order.disputed',
  summary: 'A dispute was opened; release and refund are blocked until it is resolved.',
  payload: z.strictObject({
    orderId,
    disputeId: id('dsp'),
    openedBy: z.enum(disputeParties),
    reason: z.enum(disputeReasons),
    openedAt: instant,
  }),
});

export const orderClosed = message({
  ...publicMessage,
  type: 'order.closed',
  summary: 'The order was closed.',
  payload: z.strictObject({ orderId, finalStatus: z.enum(closeReasons), closedAt: instant }),
});

export const orderCanceled = message({
  ...publicMessage,
  type: 'order.canceled',
  summary: 'The order was canceled before its escrow was funded.',
  payload: z.strictObject({
    orderId,
    buyerId: id('usr'),
    canceledBy: actor,
    reason: reason.optional(),
    canceledAt: instant,
    fundsReleased: z.boolean(),
  }),
});

const buyerFunds = { orderId: opaqueId('ord'), userId: id('usr'), amount: amountOut, currency };

export const orderReserveRequested = message({
  ...ledgerCommand,
  type: 'order.reserve_requested',
  summary: "Reserve the buyer's funds for the order.",
  payload: z.strictObject(buyerFunds),
});

export const orderCancelRequested = message({
  ...ledgerCommand,
  type: 'order.cancel_requested',
  summary: 'Release the reservations of the order.',
  payload: z.strictObject({ ...buyerFunds, reason: reason.optional() }),
});

export const orderFundRequested = message({
  ...ledgerCommand,
  type: 'order.fund_requested',
  summary: "Move the order's reserved funds to its escrow account.",
  payload: z.strictObject(buyerFunds),
});

export const orderAbortRequested = message({
  ...ledgerCommand,
  type: 'order.abort_requested',
  summary: 'The saga run is past its deadline: refuse its command from now on, unless it was handled.',
  payload: z.strictObject({
    ...buyerFunds,
    commandId: id('evt').meta({ description: 'The command of orders that started the run' }),
  }),
});

export const orderMessages = [
  orderCreated,
  orderFundsReserved,
  orderEscrowCreating,
  orderEscrowFunding,
  orderEscrowFunded,
  orderInProgress,
  orderReleaseRequested,
  orderReleased,
  orderRefundRequested,
  orderRefunded,
  orderDisputed,
  orderClosed,
  orderCanceled,
  orderReserveRequested,
  orderCancelRequested,
  orderFundRequested,
  orderAbortRequested,
] as const;
