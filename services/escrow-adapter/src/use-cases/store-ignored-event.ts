import type { Context } from '@holdfast/kernel/context';
import type { IgnoredEvent } from './event-ports.js';
import type { Deps } from './ports.js';

/** Stores a signed event that this service cannot read, once, so that a person can look at it. It has no other effect. */
export async function storeIgnoredEvent({ events, onEventIgnored }: Deps, event: IgnoredEvent, ctx: Context): Promise<void> {
  const isNew = await events.storeIgnored(event, ctx.at);
  if (!isNew) return;
  onEventIgnored();
  ctx.log.warn({ eventId: event.eventId }, 'provider event of an unknown type or format ignored');
}
