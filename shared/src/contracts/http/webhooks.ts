import { z } from 'zod';
import { noParams, noQuery, rawBody } from '../shapes/index.js';
import { route } from './route.js';

/** Called by providers, who prove themselves by a signature over the bytes that they send. */
const fromProvider = {
  method: 'post',
  auth: 'public',
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

/** The kinds of events that the escrow provider tells of. */
export const escrowProviderEventTypes = [
  'escrow.created',
  'escrow.funding_started',
  'escrow.funded',
  'escrow.milestone_completed',
  'escrow.released',
  'escrow.refunded',
  'escrow.disputed',
] as const;

/** As the provider writes it; more fields may come with it. */
export const escrowProviderEvent = z
  .looseObject({
    type: z.enum(escrowProviderEventTypes),
    event_id: z.string().min(1).meta({ description: 'Unique at the provider' }),
    data: z.looseObject({
      contract_id: z.string(),
      order_id: z.string().optional(),
      status: z.string().optional(),
      amount: z.string().optional().meta({ description: "In the ledger's smallest unit" }),
      currency: z.string().optional(),
      buyer_address: z.string().optional(),
      seller_address: z.string().optional(),
      transaction_hash: z.string().optional().meta({ description: 'Verified on the ledger network where it is given' }),
      milestone_ref: z.string().optional(),
      created_at: z.string().optional(),
      updated_at: z.string().optional(),
    }),
  })
  .meta({
    example: {
      type: 'escrow.funded',
      event_id: 'provider-event-7',
      data: { contract_id: 'CEXAMPLECONTRACTADDRESS', order_id: 'ord_01JB2M3N4P5Q6R7S8T9V0W1X2Y', amount: '1000000000' },
    },
  });
export type EscrowProviderEvent = z.infer<typeof escrowProviderEvent>;

export const receiveEscrowProviderEvent = route({
  ...fromProvider,
  name: 'receiveEscrowProviderEvent',
  path: '/webhooks/escrow-provider',
  service: 'escrow-adapter',
  summary: 'Take an event of the escrow provider',
  description:
    'For the escrow provider. A wrong signature is refused. A request without one is a hint: only what the provider and the ledger network confirm is applied. A repeated event is answered in the same way and changes nothing.',
  headers: z.object({ 'x-escrow-signature': hexSignature.optional() }),
  rawContent: escrowProviderEvent,
  success: { status: 200, isBare: true, data: z.object({ status: z.literal('ok'), processed: z.boolean() }) },
});

export const webhookRoutes = [receiveEscrowProviderEvent] as const;
