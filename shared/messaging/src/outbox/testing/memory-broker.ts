import type { Envelope } from '@holdfast/contracts/messages';
import { PublishFailed, repeated, type Broker, type Publishing } from '../../broker/index.js';

export type MemoryBroker = Pick<Broker, 'publish' | 'isHealthy'> & {
  readonly published: readonly Envelope[];
  /** Each call of `publish`, also those that failed. */
  readonly calls: readonly (Publishing & { readonly ids: readonly string[] })[];
  /** Every publish fails until `reconnect`. */
  readonly disconnect: () => void;
  readonly reconnect: () => void;
  /** Fails every publish of this message; other messages of the call are published. */
  readonly refuse: (messageId: string) => void;
};

/** Records published messages for the test. */
export function memoryBroker(): MemoryBroker {
  const published: Envelope[] = [];
  const calls: MemoryBroker['calls'][number][] = [];
  const refused = new Set<string>();
  let isConnected = true;
  return {
    published,
    calls,
    isHealthy: () => isConnected,
    disconnect: () => {
      isConnected = false;
    },
    reconnect: () => {
      isConnected = true;
    },
    refuse: (messageId) => void refused.add(messageId),
    publish: async (envelopes, { isRepeated } = repeated) => {
      calls.push({ ids: envelopes.map(({ id }) => id), isRepeated });
      if (!isConnected) throw new Error('the broker is unavailable');
      published.push(...envelopes.filter(({ id }) => !refused.has(id)));
      const failed = envelopes.filter(({ id }) => refused.has(id)).map(({ id }) => id);
      if (failed.length > 0) throw new PublishFailed('refused', failed);
    },
  };
}
