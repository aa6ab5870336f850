import type { Envelope } from '@holdfast/contracts/messages';
import { PublishFailed, type BrokerEvent, type Publishing } from './broker.js';
import { serializeEnvelope } from './envelope.js';

export type Serialized = Publishing & { readonly envelope: Envelope; readonly text: string };

export type Failures = Map<string, Error>;

/** A message that cannot be serialized is reported in `failures`; the other messages are still published. */
export function serializeAll(
  envelopes: readonly Envelope[],
  { isRepeated }: Publishing,
): {
  readonly serialized: readonly Serialized[];
  readonly failures: Failures;
} {
  const failures: Failures = new Map();
  const serialized = envelopes.flatMap((envelope) => {
    try {
      return [{ envelope, text: serializeEnvelope(envelope), isRepeated }];
    } catch (error) {
      failures.set(envelope.id, error instanceof Error ? error : new Error(String(error)));
      return [];
    }
  });
  return { serialized, failures };
}

/** Reports the counts to `onEvent` and throws `PublishFailed` if any message failed. */
export function reportPublish(total: number, failures: ReadonlyMap<string, Error>, onEvent: (event: BrokerEvent) => void): void {
  if (failures.size < total) onEvent({ kind: 'published', count: total - failures.size });
  const [cause] = failures.values();
  if (cause === undefined) return;
  onEvent({ kind: 'publish_failed', count: failures.size });
  const reason = `${failures.size} of ${total} messages may not have been published: ${cause.message}`;
  throw new PublishFailed(reason, [...failures.keys()], { cause });
}
