import type { Clock } from '@holdfast/kernel/context';
import type { AuditFact, Envelope } from '@holdfast/contracts/messages';
import type { Append } from './ports.js';
import { aggregateVersionOf } from './aggregate-version.js';

export type HandleDeps = { readonly append: Append; readonly clock: Pick<Clock, 'epochMs'>; readonly heldBackMs: number };

/**
 * How long an event waits for a missing lower version of an aggregate whose versions may have gaps. Another replica may have
 * published that version a little later; or it was an internal change, which is never published as an event.
 */
const gapMs = 100;

/** Appends a public message to the event log. */
export function handleEvent({ append, clock, heldBackMs }: HandleDeps, message: Envelope): Promise<void> {
  const nowMs = clock.epochMs();
  return append({
    kind: 'event',
    id: message.id,
    message,
    aggregateVersion: aggregateVersionOf(message),
    afterEventId: message.afterEventId,
    gapUntilMs: nowMs + gapMs,
    heldUntilMs: nowMs + heldBackMs,
  });
}

/**
 * Appends an entry to the audit trail, after the event that it reports. It waits longer than any event is held back, so that its
 * event, which was published with it, is in the log first.
 */
export function handleAuditRecorded({ append, clock, heldBackMs }: HandleDeps, message: Envelope<AuditFact>): Promise<void> {
  const { afterEventId } = message;
  const heldUntilMs = afterEventId === undefined ? 0 : clock.epochMs() + 2 * heldBackMs;
  return append({ ...withoutOrder(message), afterEventId, heldUntilMs, kind: 'audit', message });
}

/** Records that secrets of an API key have ended, so that every process disconnects the key's streams. */
export function handleApiKeyChanged({ append }: HandleDeps, message: Envelope): Promise<void> {
  return append({ ...withoutOrder(message), kind: 'key', message });
}

function withoutOrder({ id }: Envelope) {
  return { id, aggregateVersion: undefined, afterEventId: undefined, gapUntilMs: 0, heldUntilMs: 0 };
}
