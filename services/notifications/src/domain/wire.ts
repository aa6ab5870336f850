import type { Instant } from '@holdfast/kernel/context';

type Shown = { readonly occurredAt: Instant; readonly eventType: string; readonly envelope: string };

/** An event as a message of the stream. The envelope is JSON in one line, so nothing in it can end the message. */
export function eventMessage({ occurredAt, eventType, envelope }: Shown): string {
  return `id: ${occurredAt}\nevent: ${eventType}\ndata: ${envelope}\n\n`;
}

/** It has no id: a client that reconnects goes on after the last event it got. */
export function pingMessage(timestamp: Instant): string {
  return `event: ping\ndata: ${JSON.stringify({ ping: true, timestamp })}\n\n`;
}

/** What happened after `from`, up to and with `to`, is no longer in the history. */
export function gapMessage(from: Instant, to: Instant): string {
  return `event: gap\ndata: ${JSON.stringify({ from, to })}\n\n`;
}

/** How long a client should wait before it comes back. */
export function retryMessage(delayMs: number): string {
  return `retry: ${delayMs}\n\n`;
}
