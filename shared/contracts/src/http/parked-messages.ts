import { z } from 'zod';
import type { ServiceName } from '../services/index.js';
import { freeText, instant, noBody, noParams, noQuery, textMax } from '../shapes/index.js';
import { route } from './route.js';

/** Maximum number of listed messages. */
export const parkedMessagesShownMax = 200;

/** Why a message was parked. What its handler has thrown is not among it: it may name a person. */
export const parkedReasons = ['FAILED', 'NOT_RETRYABLE', 'UNKNOWN_VERSION'] as const;
export type ParkedReason = (typeof parkedReasons)[number];

/** What an operator may know of a message without its content. */
const parkedSummary = z.object({
  messageId: z.string(),
  type: z.string(),
  attempts: z.int(),
  reason: z.enum(parkedReasons),
  parkedAt: instant,
  redrivenAt: instant.nullable(),
});
export type ParkedSummary = z.infer<typeof parkedSummary>;

/** The person who sends messages back, and why: for the audit log. */
const operator = z.strictObject({ by: freeText(textMax.title).min(1), reason: freeText(textMax.reason).min(1) });

const parkedMessage = z.object({
  messageId: z.string(),
  type: z.string(),
  /** Failures of its handler. */
  attempts: z.int(),
  reason: z.string(),
  parkedAt: instant,
  /** When an operator has sent it back; null if it was not sent back since it was parked. */
  redrivenAt: instant.nullable(),
  /** The parsed message, or its text if it is not JSON. */
  body: z.unknown(),
});

/**
 * Internal routes that the service host binds in every service: its parked messages, which wait for an operator. They are in no list of
 * routes, because no service binds them itself.
 */
export function parkedMessageRoutesOf(service: ServiceName) {
  const common = {
    isInternal: true,
    auth: 'any',
    idempotent: false,
    family: 'plain',
    service,
    malformedParams: 'NOT_FOUND',
    params: noParams,
    query: noQuery,
    errors: [],
  } as const;
  return {
    listParkedMessages: route({
      ...common,
      name: `${service}.listParkedMessages`,
      method: 'get',
      path: '/internal/parked-messages',
      summary: 'List the parked messages of the service, oldest first',
      body: noBody,
      success: { status: 200, data: z.object({ count: z.int(), messages: z.array(parkedMessage) }) },
    }),
    summarizeParkedMessages: route({
      ...common,
      name: `${service}.summarizeParkedMessages`,
      method: 'get',
      path: '/internal/parked-messages/summary',
      summary: 'List the parked messages of the service without their content, oldest first',
      body: noBody,
      success: { status: 200, data: z.object({ count: z.int(), messages: z.array(parkedSummary) }) },
    }),
    redriveParkedMessages: route({
      ...common,
      name: `${service}.redriveParkedMessages`,
      method: 'post',
      path: '/internal/parked-messages/redrive',
      summary: 'Send parked messages back to the service: all of them, or the named ones',
      body: z.strictObject({
        messageIds: z.array(z.string().min(1)).min(1).max(parkedMessagesShownMax).exactOptional(),
        /** How many at most, the oldest first; by default all of them. */
        countMax: z.int().min(1).max(parkedMessagesShownMax).exactOptional(),
        operator: operator.exactOptional(),
      }),
      success: { status: 200, data: z.object({ redriven: z.int() }) },
    }),
  };
}
