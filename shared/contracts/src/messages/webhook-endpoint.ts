import { z } from 'zod';
import { id, instant } from '../shapes/index.js';
import { message } from './message.js';

export const disabledReasons = ['BY_HAND', 'GONE', 'FAILING'] as const;
/** `GONE`: the receiver has responded with 410. */
export type DisabledReason = (typeof disabledReasons)[number];

const publicMessage = {
  version: 1,
  aggregateType: 'WebhookEndpoint',
  publisher: 'notifications',
  visibility: 'public',
} as const;

const state = {
  endpointId: id('whk'),
  url: z.string().meta({ example: 'https://marketplace.example/webhooks' }),
  failingSince: instant.nullable(),
};

export const webhookEndpointFailing = message({
  ...publicMessage,
  type: 'webhook_endpoint.failing',
  summary: 'For 24 hours every attempt to deliver to a webhook endpoint has failed.',
  payload: z.strictObject({ ...state, disabledAt: z.null(), disabledReason: z.null() }),
});

export const webhookEndpointDisabled = message({
  ...publicMessage,
  type: 'webhook_endpoint.disabled',
  summary: 'A webhook endpoint was disabled; its pending deliveries are canceled.',
  payload: z.strictObject({ ...state, disabledAt: instant, disabledReason: z.enum(disabledReasons) }),
});

export const webhookEndpointMessages = [webhookEndpointFailing, webhookEndpointDisabled] as const;
