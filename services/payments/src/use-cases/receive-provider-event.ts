import { settlesWithin } from '@holdfast/kernel/async';
import { handleProviderEvent } from './handle-provider-event.js';
import type { EventContext, EventDeps, ProviderEvent } from './event-ports.js';

export type ReceivedEvent = {
  readonly body: Uint8Array;
  /** For an event that names no id. */
  readonly fallbackEventId: string;
};

/** `processed` is false if nothing of ours is meant, or if the event could not be applied yet. */
export type EventResponse = { readonly status: 'ok' } & ({ readonly processed: boolean } | { readonly duplicate: true });

/** The provider gives up after 15 s. The event is stored by then, so the response need not wait for its handling. */
const handlingMsMax = 5_000;

/** Stores an event once, in its own commit, then applies it. What cannot be applied now is retried by `handleDueEvents`. */
export async function receiveProviderEvent(
  deps: EventDeps,
  { body, fallbackEventId }: ReceivedEvent,
  ctx: EventContext,
): Promise<EventResponse> {
  const { eventId, type, update } = deps.readEvent(body);
  const providerEventId = eventId ?? fallbackEventId;
  const event: ProviderEvent = { id: deps.newId('whe'), providerEventId, eventType: type, body, receivedAt: ctx.at };
  const isNew = await deps.events.store(event, update === undefined ? 'ignored' : undefined);
  if (!isNew) {
    deps.onEvent('duplicate');
    return { status: 'ok', duplicate: true };
  }
  if (update === undefined) {
    deps.onEvent('ignored');
    ctx.log.warn({ eventId: event.id, providerEventId, type }, 'payment provider event of an unknown type or format ignored');
    return { status: 'ok', processed: false };
  }
  const handling = handleProviderEvent(deps, { ...event, attempts: 1 }, ctx);
  const isInTime = await settlesWithin(handling, handlingMsMax);
  return { status: 'ok', processed: isInTime && (await handling) };
}
