import type { Envelope } from '@holdfast/contracts/messages';
import { PublishFailed, type Broker } from '../../broker/index.js';

export type MemoryBroker = Pick<Broker, 'publish' | 'isHealthy'> & {
  readonly published: readonly Envelope[];
  /** Every publish fails until `reconnect`. */
  readonly disconnect: () => void;
  readonly reconnect: () => void;
  /** Fails every publish of this message; other messages of the call are published. */
  readonly refuse: (messageId: string) => void;
};

/** Records published messages for the test. */
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
      if (!isConnected) throw new Error('the broker is unavailable');
      published.push(...envelopes.filter(({ id }) => !refused.has(id)));
      const failed = envelopes.filter(({ id }) => refused.has(id)).map(({ id }) => id);
      if (failed.length > 0) throw new PublishFailed('refused', failed);
    },
  };
}
