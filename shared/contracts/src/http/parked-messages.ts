import { z } from 'zod';
import type { ServiceName } from '../services/index.js';
import { instant, noBody, noParams, noQuery } from '../shapes/index.js';
import { route } from './route.js';

/** Maximum number of listed messages. */
export const parkedMessagesShownMax = 200;

const parkedMessage = z.object({
  messageId: z.string(),
  type: z.string(),
  /** Failures of its handler. */
  attempts: z.int(),
  reason: z.string(),
  parkedAt: instant,
  /** When an operator has sent it back; null where nobody has since it was parked. */
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
    redriveParkedMessages: route({
      ...common,
      name: `${service}.redriveParkedMessages`,
      method: 'post',
      path: '/internal/parked-messages/redrive',
      summary: 'Send parked messages back to the service: all of them, or the named ones',
      body: z.strictObject({ messageIds: z.array(z.string().min(1)).min(1).max(parkedMessagesShownMax).exactOptional() }),
      success: { status: 200, data: z.object({ redriven: z.int() }) },
    }),
  };
}
