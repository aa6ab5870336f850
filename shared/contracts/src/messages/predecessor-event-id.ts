import type { MessageId } from '@holdfast/kernel/ids';
import { allMessages } from './catalogue.js';
import type { Envelope } from './envelope.js';

const publicTypes = new Set(allMessages.filter(({ visibility }) => visibility === 'public').map(({ type }) => type));

/**
 * The event that has to be shown before whatever a message leads to: the message itself where it is public, else what was told
 * before it.
 */
export function predecessorEventId({
  id,
  type,
  afterEventId,
}: Pick<Envelope, 'id' | 'type' | 'afterEventId'>): MessageId | undefined {
  return publicTypes.has(type) ? id : afterEventId;
}
