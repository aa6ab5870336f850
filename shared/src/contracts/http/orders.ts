import { z } from 'zod';
import { orderStatuses } from '../messages/index.js';
import {
  amountIn,
  currency,
  freeText,
  id,
  ignoredBody,
  metadata,
  noBody,
  noParams,
  noQuery,
  opaqueId,
  pageQuery,
  textMax,
} from '../shapes/index.js';
import { brokenRulesOf } from './order-rules.js';
import { milestone, order } from './order-shapes.js';
import { route } from './route.js';

const path = '/orders';
// These routes ignore an Idempotency-Key: the states of an order protect whoever asks twice.
const ofOrders = { service: 'orders', family: 'order', malformedParams: 'ORDER_NOT_FOUND', idempotent: false } as const;
const onOrders = { ...ofOrders, path, params: noParams } as const;
const onOrder = { ...ofOrders, params: z.strictObject({ id: id('ord') }), query: noQuery } as const;
const operation = { ...onOrder, method: 'post', auth: 'write', success: { status: 201, data: order } } as const;

export const milestonesMax = 50;

const milestoneIn = z.strictObject({
  ref: freeText(textMax.reference)
    .min(1)
    .meta({ aliases: ['milestoneRef'], description: 'Your own name of it, unique within the order', example: 'draft' }),
  title: freeText(textMax.title).min(1).meta({ example: 'First draft' }),
  amount: amountIn(2),
});

const buyerId = opaqueId.meta({ description: 'Who pays', example: 'usr_01JB2M3N4P5Q6R7S8T9V0W1X2Y' });
const sellerId = opaqueId.meta({ description: 'Who is paid', example: 'usr_01JB2M3N4P5Q6R7S8T9V0W1X2Z' });

const orderIn = z
  .strictObject({
    buyerId,
    sellerId,
    amount: amountIn(2).meta({ example: '100.00' }),
    currency: currency.default('USD'),
    title: freeText(textMax.title).optional().meta({ description: 'Also the title of the escrow', example: 'Logo design' }),
    description: freeText(textMax.description).optional(),
    clientOrderRef: freeText(textMax.reference)
      .min(1)
      .optional()
      .meta({ description: 'Your own reference, unique within a marketplace', example: 'cart-1042' }),
    metadata: metadata.optional().meta({
      description:
        'Your own data about it. `platformFee` is the fee of this order: a percentage from 0 to 50, at most two decimals',
      example: { platformFee: 5 },
    }),
    milestones: z
      .array(milestoneIn)
      .max(milestonesMax)
      .optional()
      .meta({ description: 'Their amounts add up to the amount of the order' }),
  })
  .superRefine(
    (given, issues) => {
      for (const { path: at, message } of brokenRulesOf(given)) issues.addIssue({ code: 'custom', path: [...at], message });
    },
    // Beside the complaints about fields, so that every fault is listed.
    { when: () => true },
  );

export const createOrder = route({
  ...onOrders,
  name: 'createOrder',
  method: 'post',
  summary: 'Create an order',
  description:
    'Both users must exist, be ACTIVE and be of a fitting type. Nothing is reserved yet. A `clientOrderRef` that is in use is refused, and `details.orderId` tells by which order.',
  auth: 'write',
  query: noQuery,
  body: orderIn,
  success: { status: 201, data: order },
  errors: ['USER_NOT_FOUND', 'CLIENT_ORDER_REF_EXISTS', 'USER_NOT_ACTIVE', 'LIMIT_EXCEEDED'],
});

export const listOrders = route({
  ...onOrders,
  name: 'listOrders',
  method: 'get',
  summary: 'List orders, newest first',
  auth: 'read',
  query: z.strictObject({
    ...pageQuery,
    status: z.enum(orderStatuses).optional(),
    buyerId: buyerId.optional().meta({ description: 'Together with a seller: orders between the two' }),
    sellerId: sellerId.optional(),
  }),
  body: noBody,
  success: { status: 200, data: order, list: true },
  errors: [],
});

export const getOrder = route({
  ...onOrder,
  name: 'getOrder',
  method: 'get',
  path: `${path}/{id}`,
  summary: 'Get an order with its escrow, dispute and milestones',
  auth: 'read',
  body: noBody,
  success: { status: 200, data: order },
  errors: ['ORDER_NOT_FOUND'],
});

export const reserveOrder = route({
  ...operation,
  name: 'reserveOrder',
  path: `${path}/{id}/reserve`,
  summary: "Reserve the buyer's funds for an order",
  body: noBody,
  waitsFor: 'saga',
  errors: ['ORDER_NOT_FOUND', 'INVALID_STATE', 'USER_NOT_ACTIVE', 'INSUFFICIENT_FUNDS', 'LIMIT_EXCEEDED', 'PROVIDER_TIMEOUT'],
});

export const cancelOrder = route({
  ...operation,
  name: 'cancelOrder',
  path: `${path}/{id}/cancel`,
  summary: 'Cancel an order',
  description: 'While it is ORDER_CREATED or FUNDS_RESERVED. Reserved funds become available again.',
  body: z.strictObject({
    reason: freeText(textMax.reason).optional().meta({ example: 'Buyer changed their mind' }),
    canceledBy: freeText(textMax.reference).min(1).optional().meta({ description: 'Left out: the credential' }),
  }),
  waitsFor: 'saga',
  errors: ['ORDER_NOT_FOUND', 'INVALID_STATE', 'LIMIT_EXCEEDED', 'PROVIDER_TIMEOUT'],
});

export const listMilestones = route({
  ...onOrder,
  name: 'listMilestones',
  method: 'get',
  path: `${path}/{id}/milestones`,
  summary: 'Get the milestones of an order, in their order',
  description: 'Always all of them, on one page.',
  auth: 'read',
  body: noBody,
  success: { status: 200, data: milestone, list: true },
  errors: ['ORDER_NOT_FOUND'],
});

export const completeMilestone = route({
  ...operation,
  name: 'completeMilestone',
  path: `${path}/{id}/milestones/{ref}/complete`,
  summary: 'Complete a milestone',
  description: 'While the order is IN_PROGRESS, and once.',
  // Any text may be a reference; one that the order does not have is MILESTONE_NOT_FOUND.
  params: z.strictObject({ id: id('ord'), ref: z.string().meta({ example: 'draft' }) }),
  body: noBody,
  errors: ['ORDER_NOT_FOUND', 'MILESTONE_NOT_FOUND', 'INVALID_STATE'],
});

export const createEscrow = route({
  ...operation,
  name: 'createEscrow',
  path: `${path}/{id}/escrow`,
  summary: 'Create the escrow contract of an order',
  description:
    'While the order is FUNDS_RESERVED and has no escrow. Amount and currency come from the order; any body is ignored. When the contract is not known yet, the order is ESCROW_CREATING and follows by itself.',
  body: ignoredBody,
  waitsFor: 'saga',
  errors: ['ORDER_NOT_FOUND', 'INVALID_STATE', 'ESCROW_ALREADY_EXISTS', 'PROVIDER_TIMEOUT'],
});

export const fundEscrow = route({
  ...operation,
  name: 'fundEscrow',
  path: `${path}/{id}/escrow/fund`,
  summary: 'Fund the escrow with the reserved funds',
  description:
    'While the order is ESCROW_FUNDING, or FUNDS_RESERVED after a funding that failed. Any body is ignored. When funding fails, the funds are reserved again.',
  body: ignoredBody,
  waitsFor: 'saga',
  errors: ['ORDER_NOT_FOUND', 'INVALID_STATE', 'ESCROW_FUNDING_FAILED', 'RESERVE_NOT_FOUND', 'PROVIDER_TIMEOUT'],
});

export const orderRoutes = [
  createOrder,
  listOrders,
  getOrder,
  reserveOrder,
  cancelOrder,
  listMilestones,
  completeMilestone,
  createEscrow,
  fundEscrow,
] as const;
