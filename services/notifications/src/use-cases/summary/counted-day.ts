import type { CountedEvent } from './ports.js';

/** The day, in UTC, at which its publisher says that it happened. */
export function countedDay({ metadata, occurredAt }: Pick<CountedEvent, 'metadata' | 'occurredAt'>): string {
  return (metadata.producedAt ?? occurredAt).slice(0, 10);
}
