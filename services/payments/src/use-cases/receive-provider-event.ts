import type { EventContext, WebhookInbox } from '@holdfast/webhook-inbox';
import { unknownEvent, type EventDeps } from './handle-provider-event.js';

export type ReceivedEvent = {
  readonly body: Uint8Array;
  readonly isSigned: boolean;
  /** The id of an event that does not name one. */
  readonly fallbackEventId: string;
};

/** `processed` is false if the event is about none of our payments, or if the event could not be applied yet. */
export type EventResponse = { readonly status: 'ok' } & ({ readonly processed: boolean } | { readonly duplicate: true });

type ReceiveDeps = Pick<EventDeps, 'readEvent'> & { readonly inbox: Pick<WebhookInbox, 'receive'> };

/** Stores an event once, in its own commit, then applies it. What cannot be applied now is retried. */
export async function receiveProviderEvent(
  { readEvent, inbox }: ReceiveDeps,
  { body, isSigned, fallbackEventId }: ReceivedEvent,
  ctx: EventContext,
): Promise<EventResponse> {
  const { eventId, type: eventType, update } = readEvent(body);
  const providerEventId = eventId ?? fallbackEventId;
  const known = update === undefined ? unknownEvent : undefined;
  const receipt = await inbox.receive({ providerEventId, eventType, body, isSigned }, ctx, known);
  if (receipt === 'duplicate') return { status: 'ok', duplicate: true };
  if (update === undefined)
    ctx.log.warn({ providerEventId, type: eventType }, 'payment provider event of an unknown type or format ignored');
  return { status: 'ok', processed: receipt === 'applied' };
}
