import type { Instant } from '@holdfast/kernel/context';

type Shown = { readonly occurredAt: Instant; readonly eventType: string; readonly envelope: string };

/** Encodes an event as a server-sent event. The envelope is one line of JSON, so its content cannot end the message. */
export function eventMessage({ occurredAt, eventType, envelope }: Shown): string {
  return `id: ${occurredAt}\nevent: ${eventType}\ndata: ${envelope}\n\n`;
}

/** A ping has no id, so that Last-Event-ID stays the id of the last event. */
export function pingMessage(timestamp: Instant): string {
  return `event: ping\ndata: ${JSON.stringify({ ping: true, timestamp })}\n\n`;
}

/** States that the events after `from`, up to and including `to`, are no longer in the log. */
export function gapMessage(from: Instant, to: Instant): string {
  return `event: gap\ndata: ${JSON.stringify({ from, to })}\n\n`;
}

/** Sets the client's reconnect delay. */
export function retryMessage(delayMs: number): string {
  return `retry: ${delayMs}\n\n`;
}
