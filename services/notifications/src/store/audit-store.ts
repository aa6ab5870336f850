import type { MarketplaceId } from '@holdfast/kernel/ids';
import { equals, queryPage, type KeysetList, selectList, type Database } from '@holdfast/postgres';
import type { AuditEntry } from '../domain/audit-chain.js';
import type { AuditFilter, AuditTrail } from '../use-cases/ports.js';
import { auditEntryColumns } from './schema.js';

export function auditStore({ lists }: { readonly lists: Pick<Database['lists'], 'query'> }): Pick<AuditTrail, 'list'> {
  const rowsOf = async <Row>(text: string, values: readonly unknown[]): Promise<readonly Row[]> =>
    (await lists.query<Row>(text, values)).rows;
  return {
    list: async (marketplaceId, filter) => queryPage<AuditEntry>(rowsOf, auditList(marketplaceId, filter), filter),
  };
}

function auditList(marketplaceId: MarketplaceId, filter: AuditFilter): KeysetList {
  const { action, resourceType, resourceId, actorId, result, from, to, hiddenActions } = filter;
  return {
    columns: selectList(auditEntryColumns, 'audit_entries'),
    from: 'audit_entries',
    keyset: ['occurred_at', 'id'],
    idColumn: 'id',
    scope: [equals('marketplace_id', marketplaceId), { column: 'action', operator: '<> all', value: hiddenActions }],
    filters: [
      equals('action', action),
      equals('resource_type', resourceType),
      equals('resource_id', resourceId),
      equals('actor_id', actorId),
      equals('result', result),
      { column: 'occurred_at', operator: '>=', value: from },
      { column: 'occurred_at', operator: '<', value: to },
    ],
  };
}
