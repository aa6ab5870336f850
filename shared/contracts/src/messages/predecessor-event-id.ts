import type { MessageId } from '@holdfast/kernel/ids';
import { allMessages } from './catalogue.js';
import type { Envelope } from './envelope.js';

const publicTypes = new Set(allMessages.filter(({ visibility }) => visibility === 'public').map(({ type }) => type));

/**
 * The public event that must precede all events that a message causes: the message itself if it is public, else the predecessor
 * of the message. See ADR 0022.
 */
export function predecessorEventId({
  id,
  type,
  afterEventId,
}: Pick<Envelope, 'id' | 'type' | 'afterEventId'>): MessageId | undefined {
  return publicTypes.has(type) ? id : afterEventId;
}

/**
 * The public event that caused all messages that a message causes: the message itself if it is public, else the cause that the
 * message carries on. Undefined if a request caused the message and no event is between them. See ADR 0049.
 */
export function causeEventId({ id, type, causationId }: Pick<Envelope, 'id' | 'type' | 'causationId'>): MessageId | undefined {
  return publicTypes.has(type) ? id : causationId;
}
