import { z } from 'zod';
import { orderStatuses, releaseModes } from '../messages/index.js';
import {
  amountIn,
  currency,
  durationIn,
  freeText,
  id,
  ignoredBody,
  instantIn,
  metadata,
  noBody,
  noParams,
  noQuery,
  opaqueId,
  pageQuery,
  textMax,
} from '../shapes/index.js';
import { brokenRulesOf } from './order-rules.js';
import { notDeliveredRules, order } from './order-shapes.js';
import { retryByState, route } from './route.js';

const path = '/orders';
// These routes ignore an Idempotency-Key: the state of the order makes a repeated request harmless.
const ofOrders = { service: 'orders', family: 'order', malformedParams: 'ORDER_NOT_FOUND', idempotent: false } as const;
const onOrders = { ...ofOrders, path, params: noParams } as const;
const onOrder = { ...ofOrders, params: z.strictObject({ id: id('ord') }), query: noQuery } as const;
const operation = {
  ...onOrder,
  method: 'post',
  auth: 'write',
  retry: retryByState,
  success: { status: 201, data: order },
} as const;

export const milestonesMax = 50;

const milestoneIn = z.strictObject({
  ref: freeText(textMax.reference)
    .min(1)
    .meta({ aliases: ['milestoneRef'], description: 'Your own reference; unique within the order', example: 'draft' }),
  title: freeText(textMax.title).min(1).meta({ example: 'First draft' }),
  amount: amountIn(2),
});

const buyerId = opaqueId('usr').meta({ description: 'User who pays', example: 'usr_01JB2M3N4P5Q6R7S8T9V0W1X2Y' });
const sellerId = opaqueId('usr').meta({ description: 'User who is paid', example: 'usr_01JB2M3N4P5Q6R7S8T9V0W1X2Z' });

const clientOrderRef = freeText(textMax.reference).min(1);

const orderIn = z
  .strictObject({
    buyerId,
    sellerId,
    amount: amountIn(2).meta({ example: '100.00' }),
    currency: currency.default('USD'),
    title: freeText(textMax.title)
      .optional()
      .meta({ description: 'Also used as the title of the escrow', example: 'Logo design' }),
    description: freeText(textMax.description).optional(),
    clientOrderRef: clientOrderRef
      .optional()
      .meta({ description: 'Your own reference; unique within a marketplace', example: 'cart-1042' }),
    metadata: metadata.optional().meta({
      description: 'Your own data. `platformFee` sets the fee of this order: a percentage from 0 to 50 with at most two decimals',
      example: { platformFee: 5 },
    }),
    milestones: z
      .array(milestoneIn)
      .max(milestonesMax)
      .optional()
      .meta({
        description: 'The amounts must add up to the order amount',
        example: [{ ref: 'draft', title: 'First draft', amount: '100.00' }],
      }),
    releaseMode: z
      .enum(releaseModes)
      .optional()
      .meta({ description: '`milestone`: each milestone is released, refunded and disputed on its own. Default `order`' }),
    reviewPeriod: durationIn('PT1S', 'P90D').optional().meta({
      description:
        'ISO 8601 duration from PT1S to P90D. When it has passed without an objection, a submitted milestone is released. Absent: nothing is released automatically',
    }),
    deliverBy: instantIn.optional().meta({ description: 'In the future, at most a year ahead' }),
    onNotDelivered: z.enum(notDeliveredRules).optional().meta({
      description: '`refund`: if nothing was submitted or completed by `deliverBy`, the buyer is refunded. Default `none`',
    }),
  })
  .superRefine(
    (given, issues) => {
      for (const { path: at, message } of brokenRulesOf(given)) issues.addIssue({ code: 'custom', path: [...at], message });
    },
    // Checked even if fields are malformed, so that all faults are reported at once.
    { when: () => true },
  );

export const createOrder = route({
  ...onOrders,
  name: 'orders.create',
  method: 'post',
  summary: 'Create an order',
  description:
    'Both users must exist, be ACTIVE and have a matching type. No funds are reserved yet. The currency must be one of `escrowCurrencies` of GET /config. If the `clientOrderRef` is already in use, the request is refused and `details.orderId` is the id of that order.',
  auth: 'write',
  retry:
    'A `clientOrderRef` protects a retry: with one that is in use, the request is refused with CLIENT_ORDER_REF_EXISTS and creates nothing.',
  query: noQuery,
  body: orderIn,
  success: { status: 201, data: order },
  errors: ['USER_NOT_FOUND', 'CLIENT_ORDER_REF_EXISTS', 'USER_NOT_ACTIVE', 'LIMIT_EXCEEDED'],
});

export const listOrders = route({
  ...onOrders,
  name: 'orders.list',
  method: 'get',
  summary: 'List orders',
  description: 'Newest first.',
  auth: 'read',
  query: z.strictObject({
    ...pageQuery,
    status: z.enum(orderStatuses).optional(),
    buyerId: buyerId.optional().meta({ description: 'Filter by buyer; combine with `sellerId` for orders between the two' }),
    sellerId: sellerId.optional().meta({ description: 'Filter by seller' }),
    clientOrderRef: clientOrderRef
      .optional()
      .meta({ description: 'Your own reference: the order that has it', example: 'cart-1042' }),
  }),
  body: noBody,
  success: { status: 200, data: order, list: true },
  errors: [],
});

export const getOrder = route({
  ...onOrder,
  name: 'orders.get',
  method: 'get',
  path: `${path}/{id}`,
  summary: 'Get an order',
  description: 'Includes the escrow, the latest dispute and the milestones.',
  auth: 'read',
  body: noBody,
  success: { status: 200, data: order },
  errors: ['ORDER_NOT_FOUND'],
});

export const reserveOrder = route({
  ...operation,
  name: 'orders.reserve',
  path: `${path}/{id}/reserve`,
  summary: 'Reserve funds for an order',
  description:
    "Moves the order amount from the buyer's available to the reserved balance. The order must be ORDER_CREATED and both users ACTIVE.",
  body: noBody,
  waitsFor: 'saga',
  errors: ['ORDER_NOT_FOUND', 'INVALID_STATE', 'USER_NOT_ACTIVE', 'INSUFFICIENT_FUNDS', 'LIMIT_EXCEEDED', 'PROVIDER_TIMEOUT'],
});

export const cancelOrder = route({
  ...operation,
  name: 'orders.cancel',
  path: `${path}/{id}/cancel`,
  summary: 'Cancel an order',
  description: 'The order must be ORDER_CREATED or FUNDS_RESERVED. Reserved funds become available again.',
  body: z.strictObject({
    reason: freeText(textMax.reason)
      .optional()
      .meta({ description: 'Recorded in the audit log', example: 'Buyer changed their mind' }),
    canceledBy: freeText(textMax.reference).min(1).optional().meta({ description: 'Defaults to the credential of the request' }),
  }),
  waitsFor: 'saga',
  errors: ['ORDER_NOT_FOUND', 'INVALID_STATE', 'LIMIT_EXCEEDED', 'PROVIDER_TIMEOUT'],
});

export const createEscrow = route({
  ...operation,
  name: 'orders.createEscrow',
  path: `${path}/{id}/escrow`,
  summary: 'Create the escrow of an order',
  description:
    'Deploys the escrow contract. The order must be FUNDS_RESERVED and must not have an escrow. Amount and currency are taken from the order; a request body is ignored. If the provider has not confirmed the contract in time, the order is returned as ESCROW_CREATING and continues in the background.',
  body: ignoredBody,
  waitsFor: 'saga',
  errors: ['ORDER_NOT_FOUND', 'INVALID_STATE', 'ESCROW_ALREADY_EXISTS', 'PLATFORM_STOPPED', 'PROVIDER_TIMEOUT'],
});

export const fundEscrow = route({
  ...operation,
  name: 'orders.fundEscrow',
  path: `${path}/{id}/escrow/fund`,
  summary: 'Fund the escrow of an order',
  description:
    'Moves the reserved funds into the escrow contract. The order must be ESCROW_FUNDING, or FUNDS_RESERVED after a failed funding. A request body is ignored. If funding fails, the funds are reserved again. With too little reserved the order is FUNDS_RESERVED, too: reserve the rest with `POST /users/{userId}/balance/reserve` and its `orderId`, and fund again, or cancel the order.',
  body: ignoredBody,
  waitsFor: 'saga',
  errors: [
    'ORDER_NOT_FOUND',
    'INVALID_STATE',
    'ESCROW_FUNDING_FAILED',
    'USER_NOT_ACTIVE',
    'RESERVE_NOT_FOUND',
    'PLATFORM_STOPPED',
    'PROVIDER_TIMEOUT',
  ],
});

/** In the order in which their examples succeed one after the other, apart from the cancellation. */
export const orderRoutes = {
  createOrder,
  listOrders,
  getOrder,
  reserveOrder,
  createEscrow,
  fundEscrow,
  cancelOrder,
};
