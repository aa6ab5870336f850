import { withTimeout } from '@holdfast/kernel/async';
import { repeated, type Broker, type BrokerEvent, type Topology } from '../broker.js';
import { reportPublish, serializeAll, type Serialized } from '../publishing.js';
import { queuesByType } from '../topology.js';
import type { QueuePublisher } from './queue-publishers.js';

export type PublishOptions = {
  readonly topology: Topology;
  readonly queuePublishers: ReadonlyMap<string, QueuePublisher>;
  readonly publishTimeoutMs: number;
  readonly onEvent: (event: BrokerEvent) => void;
};

/** A type without a queue is skipped, because the broker would return it and the outbox would retry it for ever. */
export function publishEnvelopes(options: PublishOptions): Broker['publish'] {
  const { topology, queuePublishers, publishTimeoutMs, onEvent } = options;
  const queues = queuesByType(topology);
  return async (envelopes, publishing = repeated) => {
    const consumed = envelopes.filter(({ type }) => queues.has(type));
    if (consumed.length === 0) return;
    const { serialized, failures } = serializeAll(consumed, publishing);
    // A message counts as published only if each of its queues has confirmed it.
    const sending = [...byQueue(serialized, queues)].map(async ([queue, messages]) => {
      const failed = await publishTo(queuePublishers.get(queue), messages, publishTimeoutMs);
      for (const [messageId, error] of failed) failures.set(messageId, error);
    });
    await Promise.all(sending);
    reportPublish(consumed.length, failures, onEvent);
  };
}

function byQueue(
  messages: readonly Serialized[],
  queues: ReadonlyMap<string, readonly string[]>,
): ReadonlyMap<string, readonly Serialized[]> {
  const grouped = new Map<string, Serialized[]>();
  for (const message of messages) {
    for (const queue of queues.get(message.envelope.type) ?? []) {
      const group = grouped.get(queue);
      if (group === undefined) grouped.set(queue, [message]);
      else group.push(message);
    }
  }
  return grouped;
}

/** Which of the messages failed, and why. Never rejects. */
async function publishTo(
  queuePublisher: QueuePublisher | undefined,
  messages: readonly Serialized[],
  timeoutMs: number,
): Promise<readonly (readonly [string, Error])[]> {
  const ids = new Set<string>(messages.map(({ envelope }) => envelope.id));
  try {
    if (queuePublisher === undefined) throw new Error('its queue is not in the topology');
    const publication = { messages, deadlineMs: performance.now() + timeoutMs };
    const notInTime = (): Error => new Error(`not confirmed within ${timeoutMs} ms`);
    const failures = await withTimeout(queuePublisher.submit(publication), timeoutMs, notInTime);
    return [...failures].filter(([id]) => ids.has(id));
  } catch (error) {
    const failure = error instanceof Error ? error : new Error(String(error));
    return [...ids].map((id) => [id, failure]);
  }
}
