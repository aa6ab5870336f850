import type { Clock } from '@holdfast/kernel/context';
import type { AuditFact, Envelope } from '@holdfast/contracts/messages';
import type { Append } from './ports.js';
import { numberOf } from './number-of.js';

export type HandleDeps = { readonly append: Append; readonly clock: Pick<Clock, 'epochMs'>; readonly heldBackMs: number };

/**
 * Longer than what a process tells the event log is under way: another replica may have told the number before, and where numbers
 * also count what is not public nobody knows whether it comes.
 */
const gapMs = 100;

/** Something happened that a marketplace is shown. */
export function handleEvent({ append, clock, heldBackMs }: HandleDeps, message: Envelope): Promise<void> {
  const nowMs = clock.epochMs();
  return append({
    kind: 'event',
    id: message.id,
    message,
    numbered: numberOf(message),
    afterEventId: message.afterEventId,
    gapUntilMs: nowMs + gapMs,
    heldUntilMs: nowMs + heldBackMs,
  });
}

/** Somebody did something, or tried to. */
export function handleAuditRecorded({ append }: HandleDeps, message: Envelope<AuditFact>): Promise<void> {
  return append({ ...withoutOrder(message), kind: 'audit', message });
}

/** Secrets of an API key have ended: its streams end, wherever they are. */
export function handleApiKeyChanged({ append }: HandleDeps, message: Envelope): Promise<void> {
  return append({ ...withoutOrder(message), kind: 'key', message });
}

function withoutOrder({ id }: Envelope) {
  return { id, numbered: undefined, afterEventId: undefined, gapUntilMs: 0, heldUntilMs: 0 };
}
