import type { MessageId } from '@holdfast/kernel/ids';
import { allMessages } from './catalogue.js';
import type { Envelope } from './envelope.js';

const publicTypes = new Set(allMessages.filter(({ visibility }) => visibility === 'public').map(({ type }) => type));

/**
 * The public event that must precede all events that a message causes: the message itself if it is public, else the predecessor
 * of the message.
 */
export function predecessorEventId({
  id,
  type,
  afterEventId,
}: Pick<Envelope, 'id' | 'type' | 'afterEventId'>): MessageId | undefined {
  return publicTypes.has(type) ? id : afterEventId;
}
