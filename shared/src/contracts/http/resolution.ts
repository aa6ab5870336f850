import { z } from 'zod';
import { disputeParties, disputeReasons } from '../messages/index.js';
import { freeText, id, noQuery, textMax } from '../shapes/index.js';
import { openedDispute, order } from './order-shapes.js';
import { route } from './route.js';

const path = '/orders/{orderId}/resolution';
const onOrder = {
  service: 'orders',
  family: 'order',
  method: 'post',
  auth: 'write',
  idempotent: false,
  params: z.strictObject({ orderId: id('ord') }),
  malformedParams: 'ORDER_NOT_FOUND',
  query: noQuery,
} as const;

export const evidenceMax = 20;

const reason = freeText(textMax.reason);

export const releaseOrder = route({
  ...onOrder,
  name: 'releaseOrder',
  path: `${path}/release`,
  summary: 'Release the escrow to the seller',
  description:
    'While the order is IN_PROGRESS and every milestone is COMPLETED. The answered order is CLOSED: there is nothing to poll. The seller is credited the amount less the platform fee.',
  body: z.strictObject({ reason: reason.optional().meta({ description: 'Kept in the audit trail', example: 'Work accepted' }) }),
  success: { status: 200, data: order },
  waitsFor: 'saga',
  errors: ['ORDER_NOT_FOUND', 'INVALID_STATE', 'DISPUTE_ALREADY_OPEN', 'PROVIDER_TIMEOUT'],
});

export const refundOrder = route({
  ...onOrder,
  name: 'refundOrder',
  path: `${path}/refund`,
  summary: 'Refund the buyer',
  description:
    'While the order is IN_PROGRESS, whatever its milestones. The answered order is CLOSED: there is nothing to poll. The buyer is credited the full amount.',
  body: z.strictObject({
    reason: reason.min(1).meta({ description: 'Kept in the audit trail', example: 'Seller cannot deliver' }),
  }),
  success: { status: 200, data: order },
  waitsFor: 'saga',
  errors: ['ORDER_NOT_FOUND', 'INVALID_STATE', 'DISPUTE_ALREADY_OPEN', 'PROVIDER_TIMEOUT'],
});

export const openDispute = route({
  ...onOrder,
  name: 'openDispute',
  path: `${path}/dispute`,
  summary: 'Open a dispute',
  description: 'While the order is IN_PROGRESS. It stops release and refund until the dispute is resolved.',
  body: z.strictObject({
    orderId: freeText(textMax.reference)
      .min(1)
      .meta({ description: 'Demanded, but the one in the path counts', example: 'ord_01JB2M3N4P5Q6R7S8T9V0W1X2Y' }),
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

export const resolutionRoutes = [releaseOrder, refundOrder, openDispute] as const;
