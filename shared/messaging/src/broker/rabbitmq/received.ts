import type { Message } from 'amqplib';
import type { Envelope } from '@holdfast/contracts/messages';
import { parseEnvelope, readEnvelope } from '../envelope.js';
import { batchType } from './batches.js';
import { attemptsOf, isRepeated, storableId, storableType, typeOf } from './headers.js';

/** One received envelope, sent alone or in a batch. */
export type Received = {
  /** Throws if the content is not a valid envelope. */
  readonly read: () => Envelope;
  /** The body of a copy for a retry queue or for the parked messages. */
  readonly content: () => Buffer;
  readonly messageId: string;
  readonly type: string;
  readonly attempts: number;
  /** Whether the message may have been delivered before, and parked. */
  readonly isRepeated: boolean;
};

/** A copy has the original bytes, so that an operator sees a body that cannot be parsed. */
export function fromMessage(message: Message): Received {
  const { content, properties } = message;
  const type = typeOf(message);
  // A batch has the id of its first member, which is the id of another message.
  const id: unknown = type === batchType ? undefined : properties.messageId;
  return {
    read: () => readEnvelope(content),
    content: () => content,
    messageId: storableId(id, () => content),
    type: storableType(type),
    attempts: attemptsOf(message),
    isRepeated: isRepeated(message),
  };
}

export function fromBatch(member: unknown, batch: Message): Received {
  const { id, type } = idAndTypeOf(member);
  const content = (): Buffer => Buffer.from(JSON.stringify(member));
  return {
    read: () => parseEnvelope(member),
    content,
    messageId: storableId(id, content),
    type: storableType(type),
    attempts: 0,
    isRepeated: isRepeated(batch),
  };
}

function idAndTypeOf(member: unknown): { readonly id?: unknown; readonly type?: unknown } {
  return typeof member === 'object' && member !== null ? member : {};
}
