import { z } from 'zod';
import { freeText, noParams, noQuery, rawBody } from '../shapes/index.js';
import { route } from './route.js';

/** Called by providers, which sign the raw body. */
const fromProvider = {
  method: 'post',
  auth: 'public',
  isCountedByService: true,
  idempotent: false,
  family: 'plain',
  params: noParams,
  malformedParams: 'NOT_FOUND',
  query: noQuery,
  body: rawBody,
  errors: ['WEBHOOK_SIGNATURE_INVALID'],
} as const;

const hexSignature = z.string().meta({
  description: 'Hex HMAC-SHA256 of the raw body',
  example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
});

/** The event types of the escrow provider. */
export const escrowProviderEventTypes = [
  'escrow.created',
  'escrow.funding_started',
  'escrow.funded',
  'escrow.milestone_completed',
  'escrow.released',
  'escrow.refunded',
  'escrow.disputed',
] as const;

/** Text of an event that is stored. */
const storedText = freeText(255);

const escrowProviderEventData = z.looseObject({
  contract_id: storedText,
  order_id: storedText.optional(),
  status: z.string().optional(),
  amount: z.string().optional().meta({ description: 'In the smallest unit of the asset' }),
  currency: z.string().optional(),
  buyer_address: z.string().optional(),
  seller_address: z.string().optional(),
  transaction_hash: storedText.optional().meta({ description: 'If present, verified on the ledger network' }),
  milestone_ref: storedText.optional(),
  created_at: z.string().optional(),
  updated_at: z.string().optional(),
});

/** The provider's format; it may add further fields. */
const escrowProviderEvent = z
  .looseObject({
    type: z.enum(escrowProviderEventTypes),
    event_id: storedText.min(1).meta({ description: 'Unique id assigned by the provider' }),
    data: escrowProviderEventData,
  })
  .meta({
    example: {
      type: 'escrow.funded',
      event_id: 'provider-event-7',
      data: { contract_id: 'CEXAMPLECONTRACTADDRESS', order_id: 'ord_01JB2M3N4P5Q6R7S8T9V0W1X2Y', amount: '1000000000' },
    },
  });

/** What the platform uses of an event. The other fields are not checked, so that the provider may change them (a numeric amount). */
export const usedEscrowProviderEvent = escrowProviderEvent.extend({
  data: escrowProviderEventData.pick({ contract_id: true, order_id: true, transaction_hash: true, milestone_ref: true }),
});
export type EscrowProviderEvent = z.infer<typeof usedEscrowProviderEvent>;

export const receiveEscrowProviderEvent = route({
  ...fromProvider,
  name: 'providerWebhooks.receiveEscrowEvent',
  path: '/webhooks/escrow-provider',
  service: 'escrow-adapter',
  summary: 'Receive an escrow provider event',
  description:
    'Called by the escrow provider. An invalid signature is refused. A body with a valid signature gets 200 whatever it contains: unknown types and malformed events are stored and ignored. An unknown type without a signature gets 200 with `processed: false`. What an event says is only applied if the provider and the ledger network confirm it, with or without a signature. Duplicate events are ignored and get the same response.',
  headers: z.object({ 'x-escrow-signature': hexSignature.optional() }),
  rawContent: escrowProviderEvent,
  success: { status: 200, form: 'bare', data: z.object({ status: z.literal('ok'), processed: z.boolean() }) },
});

/** The event types of the payment provider. `payin.confirmed` is a synonym of `payin.succeeded`. */
export const paymentProviderEventTypes = [
  'payin.created',
  'payin.awaiting_user_confirmation',
  'payin.processing',
  'payin.succeeded',
  'payin.confirmed',
  'payin.failed',
  'payin.canceled',
  'payout.created',
  'payout.committed',
  'payout.pending',
  'payout.pending_user_action',
  'payout.completed',
  'payout.failed',
  'payout.canceled',
] as const;

const paymentEventType = z.enum(paymentProviderEventTypes);

/** The provider's format: either `eventType` and `eventId`, or `type` and the message id in a header. */
export const paymentProviderEvent = z
  .looseObject({
    eventId: z
      .string()
      .min(1)
      .optional()
      .meta({ description: 'Unique id assigned by the provider; defaults to the header `webhook-id`' }),
    eventType: paymentEventType.optional(),
    type: paymentEventType.optional().meta({ description: 'Same value as `eventType`' }),
    occurredAt: z.string().optional(),
    data: z.looseObject({
      id: z.string().meta({ description: 'Id of the pay-in or payout at the provider' }),
      code: z.string().optional(),
      amount: z.number().optional(),
      currency: z.string().optional(),
      status: z.string().optional(),
      reasonCode: z.string().nullable().optional(),
      reasonDescription: z.string().nullable().optional(),
    }),
  })
  .meta({
    example: {
      eventId: 'provider-event-7',
      eventType: 'payin.succeeded',
      occurredAt: '2026-01-31T12:00:00Z',
      data: { id: 'payin-7', amount: 50, currency: 'USD', status: 'succeeded', reasonCode: null, reasonDescription: null },
    },
  });
export type PaymentProviderEvent = z.infer<typeof paymentProviderEvent>;

export const receivePaymentProviderEvent = route({
  ...fromProvider,
  name: 'providerWebhooks.receivePaymentEvent',
  path: '/webhooks/payment-provider',
  service: 'payments',
  summary: 'Receive a payment provider event',
  description:
    'Called by the payment provider, signed according to Standard Webhooks; the same headers with the prefix `svix-` are accepted. Duplicate events are ignored; the response is `duplicate`.',
  headers: z.object({
    'webhook-id': z.string().optional().meta({ description: 'Unique id of the webhook message', example: 'msg_7' }),
    'webhook-timestamp': z
      .string()
      .optional()
      .meta({ description: 'Unix timestamp in seconds; at most five minutes from the current time', example: '1769860800' }),
    'webhook-signature': z.string().optional().meta({
      description: 'Base64 HMAC-SHA256 of `id.timestamp.body`',
      example: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
    }),
  }),
  rawContent: paymentProviderEvent,
  success: {
    status: 200,
    form: 'bare',
    data: z.object({
      status: z.literal('ok'),
      processed: z.boolean().optional().meta({ description: 'False if the event could not be applied', example: true }),
      duplicate: z.literal(true).optional().meta({ description: 'Present instead of `processed` for a duplicate event' }),
    }),
  },
});

export const webhookRoutes = { receiveEscrowProviderEvent, receivePaymentProviderEvent };
