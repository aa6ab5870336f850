import type { Broker } from '@holdfast/messaging/broker';
import { eventually } from '../eventually/index.js';
import type { TestDatabase } from '../postgres/index.js';

export type TrackedBroker = {
  readonly broker: Broker;
  /** Resolves when no message is being published, waits in a queue or is being handled. */
  readonly idle: () => Promise<void>;
};

/**
 * Counts the calls of `publish`. A service calls it before the commit that causes it has resolved, so that every message is counted
 * before the request or the delivery behind it ends. The outbox shows less: published rows are deleted up to two seconds later.
 */
export function trackPublishing(broker: Broker, { asAdmin }: Pick<TestDatabase, 'asAdmin'>): TrackedBroker {
  const calls = { started: 0, ended: 0 };
  const publish: Broker['publish'] = async (envelopes, publishing) => {
    calls.started += 1;
    await broker.publish(envelopes, publishing).finally(() => (calls.ended += 1));
  };
  return {
    broker: { ...broker, publish },
    idle: () =>
      eventually(async () => {
        const before = { ...calls };
        expect(before.ended).toBe(before.started);
        expect(await asAdmin('select 1 from broker.deliveries')).toHaveLength(0);
        expect(calls).toEqual(before);
      }),
  };
}
