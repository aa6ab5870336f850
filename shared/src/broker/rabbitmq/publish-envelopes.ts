import type { Broker, BrokerEvent, Topology } from '../broker.js';
import { concludePublish, serializeAll, type Serialized } from '../publishing.js';
import { queuesByType } from '../topology.js';
import type { Names } from './names.js';
import type { Outgoing, Publisher } from './publisher.js';

export type PublishOptions = {
  readonly topology: Topology;
  readonly names: Names;
  readonly publisher: Publisher;
  readonly onEvent: (event: BrokerEvent) => void;
};

/** What nobody listens to is done at once; a returned message would otherwise never be done. */
export function publishEnvelopes({ topology, names, publisher, onEvent }: PublishOptions): Broker['publish'] {
  const queues = queuesByType(topology);
  return async (envelopes) => {
    const heard = envelopes.filter(({ type }) => queues.has(type));
    if (heard.length === 0) return;
    const { serialized, failures } = serializeAll(heard);
    const outcomes = await publisher.send(serialized.map((message) => toOutgoing(message, names)));
    serialized.forEach(({ envelope }, index) => {
      const error = outcomes[index];
      if (error !== undefined) failures.set(envelope.id, error);
    });
    concludePublish(heard.length, failures, onEvent);
  };
}

function toOutgoing({ envelope, text }: Serialized, names: Names): Outgoing {
  const { id, type } = envelope;
  return { exchange: names.events, routingKey: type, content: Buffer.from(text), messageId: id, type };
}
