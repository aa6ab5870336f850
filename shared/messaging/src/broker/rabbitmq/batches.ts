import type { Serialized } from '../publishing.js';
import { publishHeaders } from './headers.js';
import type { OutgoingMessage } from './publisher.js';

/** The AMQP `type` of a message that contains several envelopes. */
export const batchType = 'batch';

/**
 * A batch shares one write, one confirm and one acknowledgement. Larger batches save little and make a redelivery larger.
 * See ADR 0015.
 */
const batchEnvelopesMax = 64;
const batchBytesMax = 128 * 1_024;

/** One AMQP message and the ids of the envelopes in it. */
export type Batch = { readonly outgoing: OutgoingMessage; readonly messageIds: readonly string[] };

/** Packs the messages for one queue. A single message is sent without a batch; a batch with a repeated message is repeated. */
export function toBatches(messages: readonly Serialized[], queue: string): readonly Batch[] {
  return chunksOf(messages).map((chunk) => ({
    outgoing: { ...contentOf(chunk), queue },
    messageIds: chunk.map(({ envelope }) => envelope.id),
  }));
}

type Chunk = readonly [Serialized, ...Serialized[]];

function contentOf(chunk: Chunk): Omit<OutgoingMessage, 'queue'> {
  const [{ envelope, text }] = chunk;
  const headers = publishHeaders({ isRepeated: chunk.some(({ isRepeated }) => isRepeated) });
  if (chunk.length === 1) return { content: Buffer.from(text), messageId: envelope.id, type: envelope.type, headers };
  const content = Buffer.from(`[${chunk.map((member) => member.text).join(',')}]`);
  return { content, messageId: envelope.id, type: batchType, headers };
}

function chunksOf(members: readonly Serialized[]): readonly Chunk[] {
  const chunks: [Serialized, ...Serialized[]][] = [];
  let bytes = 0;
  for (const member of members) {
    const last = chunks.at(-1);
    bytes += member.text.length;
    if (last === undefined || last.length >= batchEnvelopesMax || bytes > batchBytesMax) {
      chunks.push([member]);
      bytes = member.text.length;
    } else last.push(member);
  }
  return chunks;
}
