import type { Envelope } from '@holdfast/contracts/messages';
import { PublishFailed, type Broker } from '../../broker/index.js';

export type MemoryBroker = Pick<Broker, 'publish' | 'isHealthy'> & {
  readonly published: readonly Envelope[];
  /** Takes nothing until it is back. */
  readonly disconnect: () => void;
  readonly reconnect: () => void;
  /** Refuses the message with this id, and only this one. */
  readonly refuse: (messageId: string) => void;
};

/** Takes messages and keeps them for the test to look at. */
export function memoryBroker(): MemoryBroker {
  const published: Envelope[] = [];
  const refused = new Set<string>();
  let isConnected = true;
  return {
    published,
    isHealthy: () => isConnected,
    disconnect: () => {
      isConnected = false;
    },
    reconnect: () => {
      isConnected = true;
    },
    refuse: (messageId) => void refused.add(messageId),
    publish: async (envelopes) => {
      if (!isConnected) throw new Error('the broker is away');
      published.push(...envelopes.filter(({ id }) => !refused.has(id)));
      const failed = envelopes.filter(({ id }) => refused.has(id)).map(({ id }) => id);
      if (failed.length > 0) throw new PublishFailed('refused', failed);
    },
  };
}
