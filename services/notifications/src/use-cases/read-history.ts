import { historyMax, type AuditEntryOfHistory, type EventOfHistory } from '@holdfast/contracts/http';
import { credentialsRefusedAction } from '@holdfast/contracts/messages';
import type { Context } from '@holdfast/kernel/context';
import type { AuditTrail, EventLists } from './ports.js';

type Events = { readonly events: EventOfHistory[]; readonly hasMore: boolean };
type Entries = { readonly entries: AuditEntryOfHistory[]; readonly hasMore: boolean };

/** The newest events about resources of the caller's marketplace, oldest first. */
export async function readEventsOfResources(
  { newestOf }: EventLists,
  { resourceIds }: { readonly resourceIds: readonly string[] },
  { caller }: Context,
): Promise<Events> {
  const found = await newestOf(caller.marketplaceId, resourceIds, historyMax + 1);
  return { events: found.slice(0, historyMax).toReversed(), hasMore: found.length > historyMax };
}

/** The newest audit entries about a resource of the caller's marketplace, oldest first. */
export async function readAuditOfResource(
  audit: Pick<AuditTrail, 'list'>,
  { resourceId }: { readonly resourceId: string },
  { caller }: Context,
): Promise<Entries> {
  const filter = { limit: historyMax, resourceId, hiddenActions: [credentialsRefusedAction] };
  const found = (await audit.list(caller.marketplaceId, filter)) ?? [];
  const entries = found.slice(0, historyMax).map(({ id, occurredAt, action, actorType, actorId, result, reason }) => ({
    id,
    occurredAt,
    action,
    actorType,
    actorId,
    result,
    reason,
  }));
  return { entries: entries.toReversed(), hasMore: found.length > historyMax };
}
