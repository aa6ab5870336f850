import type { MarketplaceId } from '@holdfast/shared/ids';
import { toAppError, type Database } from '@holdfast/shared/postgres';
import type { AuditEntry } from '../domain/audit-chain.js';
import type { AuditFilter, AuditTrail } from '../use-cases/ports.js';

/** States as texts, exactly as they were stored. */
export const auditColumns = `position, id, marketplace_id as "marketplaceId", occurred_at as "occurredAt", action,
    resource_type as "resourceType", resource_id as "resourceId", actor_type as "actorType", actor_id as "actorId", result, reason,
    before::text as before, after::text as after, request_id as "requestId"`;

/** Without a name, so that it is planned for the filters it really has. */
const selectEntries = `
  select ${auditColumns}
  from audit_entries
  where marketplace_id = $1
    and ($2::text is null or action = $2)
    and ($3::text is null or resource_type = $3)
    and ($4::text is null or resource_id = $4)
    and ($5::text is null or actor_id = $5)
    and ($6::text is null or result = $6)
    and ($7::timestamptz is null or occurred_at >= $7)
    and ($8::timestamptz is null or occurred_at < $8)
    and ($9::timestamptz is null or (occurred_at, id) < ($9, $10))
    and action <> all($11)
  order by occurred_at desc, id desc
  limit $12`;

const findCursor = `
  select occurred_at
  from audit_entries
  where marketplace_id = $1
    and id = $2
    and action <> all($3)`;

export function auditStore({ pool }: Pick<Database, 'pool'>): Pick<AuditTrail, 'list'> {
  const rowsOf = async <Row>(sql: string, values: readonly unknown[]): Promise<readonly Row[]> => {
    try {
      return (await pool.query(sql, [...values])).rows as readonly Row[];
    } catch (error) {
      throw toAppError(error);
    }
  };
  /** Undefined where it is not in the list. */
  const momentOf = async (marketplaceId: MarketplaceId, { cursor, hiddenActions }: AuditFilter): Promise<string | undefined> => {
    const [row] = await rowsOf<{ readonly occurred_at: string }>(findCursor, [marketplaceId, cursor, hiddenActions]);
    return row?.occurred_at;
  };
  return {
    list: async (marketplaceId, filter) => {
      const { limit, cursor, hiddenActions } = filter;
      const after = cursor === undefined ? undefined : await momentOf(marketplaceId, filter);
      if (cursor !== undefined && after === undefined) return undefined;
      return rowsOf<AuditEntry>(selectEntries, [marketplaceId, ...valuesOf(filter), after, cursor, hiddenActions, limit + 1]);
    },
  };
}

/** In the order of the statement's parameters; the driver sends what is undefined as null. */
function valuesOf({ action, resourceType, resourceId, actorId, result, from, to }: AuditFilter): readonly unknown[] {
  return [action, resourceType, resourceId, actorId, result, from, to];
}
