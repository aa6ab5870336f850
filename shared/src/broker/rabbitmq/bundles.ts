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

/**
 * What is published at the same time for the same queues travels together: a quorum queue takes about as long for a message of
 * fifty envelopes as for one of one. A lone envelope goes by its type, a bundle to each queue by the queue's own key.
 */
export function shipmentsOf(
  messages: readonly Serialized[],
  queuesOf: (type: string) => readonly string[],
  names: Names,
): readonly Shipment[] {
  const groups = new Map<string, { readonly queues: readonly string[]; readonly members: Serialized[] }>();
  for (const message of messages) {
    const queues = queuesOf(message.envelope.type);
    const key = queues.join(' ');
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { queues, members: [message] });
    else group.members.push(message);
  }
  return [...groups.values()].flatMap(({ queues, members }) =>
    chunksOf(members).flatMap((chunk) => shipped(chunk, queues, names)),
  );
}

function shipped(chunk: readonly Serialized[], queues: readonly string[], names: Names): readonly Shipment[] {
  const [first] = chunk;
  if (first === undefined) return [];
  const messageIds = chunk.map(({ envelope }) => envelope.id);
  if (chunk.length === 1) {
    const { id, type } = first.envelope;
    return [
      {
        outgoing: { exchange: names.events, routingKey: type, content: Buffer.from(first.text), messageId: id, type },
        messageIds,
      },
    ];
  }
  const content = Buffer.from(`[${chunk.map(({ text }) => text).join(',')}]`);
  return queues.map((queue) => ({
    outgoing: {
      exchange: names.events,
      routingKey: names.bundleKey(queue),
      content,
      messageId: first.envelope.id,
      type: bundleType,
    },
    messageIds,
  }));
}

function chunksOf(members: readonly Serialized[]): readonly (readonly Serialized[])[] {
  const chunks: Serialized[][] = [];
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
