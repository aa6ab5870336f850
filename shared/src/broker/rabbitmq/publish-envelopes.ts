import type { Broker, BrokerEvent, Topology } from '../broker.js';
import { concludePublish, serializeAll } from '../publishing.js';
import { queuesByType } from '../topology.js';
import { shipmentsOf } from './bundles.js';
import type { Names } from './names.js';
import type { Publisher } from './publisher.js';

export type PublishOptions = {
  readonly topology: Topology;
  readonly names: Names;
  readonly publisher: Publisher;
  readonly onEvent: (event: BrokerEvent) => void;
};

/** What nobody listens to is done at once; a returned message would otherwise never be done. */
export function publishEnvelopes({ topology, names, publisher, onEvent }: PublishOptions): Broker['publish'] {
  const queues = queuesByType(topology);
  const queuesOf = (type: string): readonly string[] => queues.get(type) ?? [];
  return async (envelopes) => {
    const heard = envelopes.filter(({ type }) => queues.has(type));
    if (heard.length === 0) return;
    const { serialized, failures } = serializeAll(heard);
    const shipments = shipmentsOf(serialized, queuesOf, names);
    const outcomes = await publisher.send(shipments.map(({ outgoing }) => outgoing));
    shipments.forEach(({ messageIds }, index) => {
      const error = outcomes[index];
      if (error !== undefined) for (const messageId of messageIds) failures.set(messageId, error);
    });
    concludePublish(heard.length, failures, onEvent);
  };
}
