import { z } from 'zod';
import { freeText, id, instant, noBody, noParams, noQuery, pageQuery, textMax } from '../shapes/index.js';
import { route } from './route.js';

export const webhookDeliveryStatuses = ['PENDING', 'RETRYING', 'DELIVERED', 'EXHAUSTED', 'CANCELED'] as const;
export const webhookAttemptErrors = ['DNS', 'BLOCKED_ADDRESS', 'CONNECT', 'TLS', 'TIMEOUT', 'STATUS', 'RESPONSE'] as const;

const fields = {
  id: id('whd'),
  endpointId: id('whk'),
  eventId: id('evt').meta({ description: 'The `webhook-id` of every attempt' }),
  eventType: z.string(),
  aggregateId: z.string().meta({ description: 'Id of the resource of the event' }),
  status: z.enum(webhookDeliveryStatuses).meta({
    description:
      '`EXHAUSTED`: all attempts have failed. `CANCELED`: the endpoint was disabled or deleted, or the event is older than the history',
  }),
  attempts: z.int().min(0),
  nextAttemptAt: instant.nullable().meta({
    description: 'Null if there is none, or while an earlier event of the same resource is not delivered',
  }),
  deliveredAt: instant.nullable(),
  createdAt: instant,
};

const example = {
  id: 'whd_01JB2M3N4P5Q6R7S8T9V0W1X2Y',
  endpointId: 'whk_01JB2M3N4P5Q6R7S8T9V0W1X2Y',
  eventId: 'evt_01JB2M3N4P5Q6R7S8T9V0W1X2Y',
  eventType: 'order.closed',
  aggregateId: 'ord_01JB2M3N4P5Q6R7S8T9V0W1X2Y',
  status: 'RETRYING',
  attempts: 1,
  nextAttemptAt: '2026-01-31T12:00:05.123456Z',
  deliveredAt: null,
  createdAt: '2026-01-31T12:00:00.123456Z',
} as const;

export const webhookDelivery = z.object(fields).meta({ id: 'WebhookDelivery', example });
export type WebhookDeliveryView = z.infer<typeof webhookDelivery>;

export const webhookAttempt = z.object({
  at: instant,
  durationMs: z.int().min(0),
  status: z.int().nullable().meta({ description: 'Status of the response; null if there was none' }),
  error: z.enum(webhookAttemptErrors).nullable().meta({
    description: 'Null if it was delivered. `STATUS`: any status but 2xx, redirects included',
  }),
  responseBody: z.string().meta({ description: 'The first 4 KiB' }),
});
export type WebhookAttemptView = z.infer<typeof webhookAttempt>;

const exampleAttempt = {
  at: '2026-01-31T12:00:00.123456Z',
  durationMs: 31,
  status: 503,
  error: 'STATUS',
  responseBody: 'busy',
} as const;

export const webhookDeliveryWithLog = z
  .object({ ...fields, attemptLog: z.array(webhookAttempt) })
  .meta({ id: 'WebhookDeliveryWithLog', example: { ...example, attemptLog: [exampleAttempt] } });

const path = '/webhook-deliveries';
const ofDeliveries = { service: 'notifications', family: 'plain', malformedParams: 'WEBHOOK_DELIVERY_NOT_FOUND' } as const;
const onDelivery = { ...ofDeliveries, params: z.strictObject({ id: id('whd') }), query: noQuery, body: noBody } as const;

export const listWebhookDeliveries = route({
  ...ofDeliveries,
  name: 'webhookDeliveries.list',
  method: 'get',
  path,
  summary: 'List webhook deliveries',
  description: 'Newest first, as long as the history.',
  auth: 'read',
  idempotent: false,
  params: noParams,
  query: z.strictObject({
    ...pageQuery,
    endpointId: id('whk').optional(),
    eventId: id('evt', 'GET /events').optional(),
    aggregateId: freeText(textMax.reference).min(1).optional().meta({ description: 'Id of the resource of the event' }),
    status: z.enum(webhookDeliveryStatuses).optional(),
  }),
  body: noBody,
  success: { status: 200, data: webhookDelivery, list: true },
  errors: [],
});

export const getWebhookDelivery = route({
  ...onDelivery,
  name: 'webhookDeliveries.get',
  method: 'get',
  path: `${path}/{id}`,
  summary: 'Get a webhook delivery with its attempts',
  auth: 'read',
  idempotent: false,
  success: { status: 200, data: webhookDeliveryWithLog },
  errors: ['WEBHOOK_DELIVERY_NOT_FOUND'],
});

export const resendWebhookDelivery = route({
  ...onDelivery,
  name: 'webhookDeliveries.resend',
  method: 'post',
  path: `${path}/{id}/resend`,
  summary: 'Deliver an event again',
  description:
    'Creates another delivery of the same event to the same endpoint. Refused while the delivery is PENDING or RETRYING.',
  auth: 'write',
  idempotent: true,
  success: { status: 202, data: webhookDelivery },
  errors: ['WEBHOOK_DELIVERY_NOT_FOUND', 'EVENT_NOT_FOUND', 'INVALID_STATE'],
});

export const webhookDeliveryRoutes = { listWebhookDeliveries, getWebhookDelivery, resendWebhookDelivery };
