import { eventTypes, type EventRecord } from '@holdfast/contracts/http';
import type { Context, Instant } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import type { MarketplaceId } from '@holdfast/kernel/ids';
import { toPage, type Page } from '@holdfast/kernel/pages';
import { earliestInstant } from '../domain/occurred-at.js';
import { matchesTypes } from '../domain/webhooks/type-filter.js';
import type { EventLists } from './ports.js';

export type ListEvents = {
  readonly limit: number;
  readonly after?: string | undefined;
  readonly cursor?: string | undefined;
  readonly types?: readonly string[] | undefined;
  readonly aggregateId?: string | undefined;
};

/** Within a marketplace the timestamps and the positions of events have the same order, so that a timestamp is as good as a position. */
export async function listEvents(events: EventLists, input: ListEvents, { caller }: Context): Promise<Page<EventRecord>> {
  const { marketplaceId } = caller;
  const { limit, types = [], aggregateId } = input;
  const after = await startOf(events, marketplaceId, input);
  const wanted = types.length === 0 ? null : eventTypes.filter((type) => matchesTypes(types, type));
  const found = await events.list({ marketplaceId, after, types: wanted, aggregateId, limit: limit + 1 });
  return toPage(found, limit, ({ eventId }) => eventId);
}

async function startOf(events: EventLists, marketplaceId: MarketplaceId, { cursor, after }: ListEvents): Promise<Instant> {
  const [field, eventId] = cursor === undefined ? ['after', after] : ['cursor', cursor];
  if (eventId === undefined) return earliestInstant;
  const moment = await events.momentOf(marketplaceId, eventId);
  if (moment !== undefined) return moment;
  throw new AppError('VALIDATION_ERROR', { validationErrors: [`${field} is not an event of the history`] });
}
