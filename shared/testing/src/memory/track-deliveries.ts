import type { Envelope } from '@holdfast/contracts/messages';

export type TrackedDeliveries = {
  readonly publish: (envelopes: readonly Envelope[]) => Promise<void>;
  /** Resolves when no message is being handled. Rejects with the first error of a handler. */
  readonly idle: () => Promise<void>;
};

/** Delivers messages at once. What a handler throws is kept until `idle`. */
export function trackDeliveries(handle: (envelope: Envelope) => Promise<void>): TrackedDeliveries {
  const pending = new Set<Promise<void>>();
  const errors: unknown[] = [];
  return {
    publish: async (envelopes: readonly Envelope[]): Promise<void> => {
      for (const envelope of envelopes) {
        const delivery = handle(envelope).catch((error: unknown) => void errors.push(error));
        pending.add(delivery);
        await delivery;
        pending.delete(delivery);
      }
    },
    idle: async (): Promise<void> => {
      do {
        await Promise.all(pending);
        await new Promise(setImmediate);
      } while (pending.size > 0);
      if (errors.length > 0) throw errors.shift();
    },
  };
}
