import type { EventRecord } from '@holdfast/contracts/http';
import type { Context } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import type { EventLists } from './ports.js';

export async function getEvent(
  events: EventLists,
  { eventId }: { readonly eventId: string },
  { caller }: Context,
): Promise<EventRecord> {
  const found = await events.find(caller.marketplaceId, eventId);
  if (found === undefined) throw new AppError('EVENT_NOT_FOUND', { eventId });
  return found;
}
