import { z } from 'zod';
import { disputeParties, disputeReasons } from '../messages/index.js';
import { freeText, id, noQuery, textMax } from '../shapes/index.js';
import { openedDispute, order } from './order-shapes.js';
import { retryByState, route } from './route.js';

const path = '/orders/{orderId}/resolution';
const onOrder = {
  service: 'orders',
  family: 'order',
  method: 'post',
  auth: 'write',
  idempotent: false,
  retry: retryByState,
  params: z.strictObject({ orderId: id('ord') }),
  malformedParams: 'ORDER_NOT_FOUND',
  query: noQuery,
} as const;

export const evidenceMax = 20;

const reason = freeText(textMax.reason);

export const releaseOrder = route({
  ...onOrder,
  name: 'orders.release',
  path: `${path}/release`,
  summary: 'Release an order to the seller',
  description:
    'Pays the escrow to the seller, less the platform fee, and closes the order. The order must be IN_PROGRESS and every milestone COMPLETED. The returned order is CLOSED; polling is not required.',
  body: z.strictObject({
    reason: reason.optional().meta({ description: 'Recorded in the audit log', example: 'Work accepted' }),
  }),
  success: { status: 200, data: order },
  waitsFor: 'saga',
  errors: ['ORDER_NOT_FOUND', 'INVALID_STATE', 'DISPUTE_ALREADY_OPEN', 'PLATFORM_STOPPED', 'PROVIDER_TIMEOUT'],
});

export const refundOrder = route({
  ...onOrder,
  name: 'orders.refund',
  path: `${path}/refund`,
  summary: 'Refund an order to the buyer',
  description:
    'Returns the full amount to the buyer and closes the order. The order must be IN_PROGRESS; milestones are not checked. The returned order is CLOSED; polling is not required.',
  body: z.strictObject({
    reason: reason.min(1).meta({ description: 'Recorded in the audit log', example: 'Seller cannot deliver' }),
  }),
  success: { status: 200, data: order },
  waitsFor: 'saga',
  errors: ['ORDER_NOT_FOUND', 'INVALID_STATE', 'DISPUTE_ALREADY_OPEN', 'PLATFORM_STOPPED', 'PROVIDER_TIMEOUT'],
});

export const openDispute = route({
  ...onOrder,
  name: 'disputes.open',
  path: `${path}/dispute`,
  summary: 'Open a dispute',
  description: 'The order must be IN_PROGRESS. Release and refund are blocked until the dispute is resolved.',
  body: z.strictObject({
    orderId: freeText(textMax.reference)
      .min(1)
      .meta({ description: 'Required for compatibility; the id in the path is used', example: 'ord_01JB2M3N4P5Q6R7S8T9V0W1X2Y' }),
    openedBy: z.enum(disputeParties),
    reason: z.enum(disputeReasons),
    evidence: z
      .array(freeText(textMax.evidence).min(1))
      .max(evidenceMax)
      .optional()
      .meta({ description: 'References, such as URLs', example: ['https://files.example/chat.pdf'] }),
  }),
  success: { status: 201, data: openedDispute },
  errors: ['ORDER_NOT_FOUND', 'INVALID_STATE', 'DISPUTE_ALREADY_OPEN'],
});

export const resolutionRoutes = { releaseOrder, refundOrder, openDispute };
