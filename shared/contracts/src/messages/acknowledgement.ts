import { z } from 'zod';
import { serviceNames } from '../services/index.js';
import { id } from '../shapes/index.js';
import { message } from './message.js';

/** How many messages one acknowledgement names. */
export const acknowledgedIdsMax = 500;

/**
 * Sent to the queue of the publisher alone, without an outbox: if it is lost, the message that it names is published again and
 * acknowledged again.
 */
export const messagesAcknowledged = message({
  type: 'messages.acknowledged',
  version: 1,
  visibility: 'internal',
  aggregateType: 'Outbox',
  publisher: serviceNames,
  summary: 'A consumer has handled these messages; their publisher repeats them for it no more.',
  payload: z.strictObject({
    by: z.enum(serviceNames).meta({ example: 'ledger-balance' }),
    messageIds: z.array(id('evt')).min(1).max(acknowledgedIdsMax),
  }),
});

export const acknowledgementMessages = [messagesAcknowledged] as const;
