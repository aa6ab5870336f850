import type { MarketplaceId } from '@holdfast/kernel/ids';
import { equals, queryPage, selectList, type Condition, type KeysetList, type Lists } from '@holdfast/postgres';
import type { AuditEntry } from '../domain/audit-chain.js';
import type { AuditFilter, AuditTrail } from '../use-cases/ports.js';
import { auditEntryColumns } from './schema.js';

export function auditStore({ lists }: { readonly lists: Lists }): Pick<AuditTrail, 'list'> {
  const pageOf = (list: KeysetList, filter: AuditFilter) => queryPage<AuditEntry>(lists, list, filter);
  return {
    list: async (marketplaceId, filter) => {
      const { resourceId } = filter;
      if (resourceId === undefined) return pageOf(auditList(marketplaceId, filter), filter);
      const [own, related] = await Promise.all([
        pageOf(auditList(marketplaceId, filter, equals('resource_id', resourceId)), filter),
        pageOf(auditList(marketplaceId, filter, ...relatedTo(resourceId)), filter),
      ]);
      return own === undefined || related === undefined ? undefined : newestFirst([...own, ...related], filter.limit);
    },
  };
}

/** The index has only entries with related ids, which the server cannot conclude from the second condition. */
function relatedTo(resourceId: string): readonly Condition[] {
  return [
    { column: 'related_ids', operator: '<>', value: [] },
    { column: 'related_ids', operator: '@>', value: [resourceId] },
  ];
}

/** One statement with both conditions could not use the two indexes in the order of the list. */
function newestFirst(entries: readonly AuditEntry[], limit: number): readonly AuditEntry[] {
  return entries.toSorted((one, other) => (isNewer(one, other) ? -1 : 1)).slice(0, limit + 1);
}

function isNewer(one: AuditEntry, other: AuditEntry): boolean {
  return one.occurredAt === other.occurredAt ? one.id > other.id : one.occurredAt > other.occurredAt;
}

function auditList(marketplaceId: MarketplaceId, filter: AuditFilter, ...aboutResource: readonly Condition[]): KeysetList {
  const { action, resourceType, actorId, result, from, to, hiddenActions } = filter;
  return {
    columns: selectList(auditEntryColumns, 'audit_entries'),
    from: 'audit_entries',
    keyset: ['occurred_at', 'id'],
    idColumn: 'id',
    scope: [equals('marketplace_id', marketplaceId), { column: 'action', operator: '<> all', value: hiddenActions }],
    filters: [
      ...aboutResource,
      equals('action', action),
      equals('resource_type', resourceType),
      equals('actor_id', actorId),
      equals('result', result),
      { column: 'occurred_at', operator: '>=', value: from },
      { column: 'occurred_at', operator: '<', value: to },
    ],
  };
}
