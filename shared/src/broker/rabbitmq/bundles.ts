import type { Serialized } from '../publishing.js';
import type { Names } from './names.js';
import type { Outgoing } from './publisher.js';

/** The type of an AMQP message that carries several of ours. */
export const bundleType = 'bundle';

/** A few dozen share one write, one confirm and one acknowledgement; more would only make a redelivery larger. */
const bundleEnvelopesMax = 64;
const bundleBytesMax = 128 * 1_024;

/** One AMQP message, and which of ours it carries. */
export type Shipment = { readonly outgoing: Outgoing; readonly messageIds: readonly string[] };

/** What goes to one queue at the same time: a quorum queue takes about as long for fifty envelopes in a message as for one. */
export function shipmentsOf(messages: readonly Serialized[], queue: string, names: Names): readonly Shipment[] {
  // Straight to the queue: the broker spends a quarter of a publish on finding the way through a topic exchange.
  const destination = { exchange: '', routingKey: names.queue(queue) };
  return chunksOf(messages).map((chunk) => ({
    outgoing: { ...destination, ...contentOf(chunk) },
    messageIds: chunk.map(({ envelope }) => envelope.id),
  }));
}

type Chunk = readonly [Serialized, ...Serialized[]];

function contentOf(chunk: Chunk): Pick<Outgoing, 'content' | 'messageId' | 'type'> {
  const [{ envelope, text }] = chunk;
  if (chunk.length === 1) return { content: Buffer.from(text), messageId: envelope.id, type: envelope.type };
  const content = Buffer.from(`[${chunk.map((member) => member.text).join(',')}]`);
  return { content, messageId: envelope.id, type: bundleType };
}

function chunksOf(members: readonly Serialized[]): readonly Chunk[] {
  const chunks: [Serialized, ...Serialized[]][] = [];
  let bytes = 0;
  for (const member of members) {
    const last = chunks.at(-1);
    bytes += member.text.length;
    if (last === undefined || last.length >= bundleEnvelopesMax || bytes > bundleBytesMax) {
      chunks.push([member]);
      bytes = member.text.length;
    } else last.push(member);
  }
  return chunks;
}
