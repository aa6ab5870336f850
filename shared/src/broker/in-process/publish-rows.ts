import type { Batcher } from '../../batching/index.js';
import type { Broker, BrokerEvent, Topology } from '../broker.js';
import { concludePublish, serializeAll, type Failures, type Serialized } from '../publishing.js';
import { endsWithin } from '../time-limit.js';
import { queuesByType } from '../topology.js';
import type { FreshRow } from './inserter.js';

export type PublishOptions = {
  readonly topology: Topology;
  readonly inserter: Batcher<FreshRow, boolean>;
  readonly publishTimeoutMs: number;
  readonly onEvent: (event: BrokerEvent) => void;
};

/** What nobody listens to is done at once. */
export function publishRows({ topology, inserter, publishTimeoutMs, onEvent }: PublishOptions): Broker['publish'] {
  const queues = queuesByType(topology);
  const store = async ({ envelope, text }: Serialized, failures: Failures): Promise<void> => {
    const { id, type } = envelope;
    const rows = (queues.get(type) ?? []).map((queue) => ({ queue, messageId: id, type, body: text }));
    failures.set(id, new Error(`not durable within ${publishTimeoutMs} ms`)); // until it is
    try {
      await Promise.all(rows.map((row) => inserter.submit(row)));
      failures.delete(id);
    } catch (error) {
      failures.set(id, error instanceof Error ? error : new Error(String(error)));
    }
  };
  return async (envelopes) => {
    const heard = envelopes.filter(({ type }) => queues.has(type));
    if (heard.length === 0) return;
    const { serialized, failures } = serializeAll(heard);
    await endsWithin(Promise.all(serialized.map((message) => store(message, failures))), publishTimeoutMs);
    concludePublish(heard.length, failures, onEvent);
  };
}
