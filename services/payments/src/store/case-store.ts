import { createdWithin, equals, queryLists, queryPage, type Condition, type Database } from '@holdfast/postgres';
import type { Currency } from '@holdfast/kernel/money';
import type { Deps } from '../use-cases/ports.js';
import { aggregateStatements } from './aggregate-statements.js';
import { fromRow } from './rows.js';
import { caseColumns, type CaseRow } from './schema.js';

const table = 'reconciliation_cases';

export const caseStatements = aggregateStatements({
  table,
  columns: caseColumns,
  fixed: ['id', 'marketplaceId', 'kind', 'currency', 'source', 'sourceId', 'createdAt'],
  insertSuffix: 'on conflict (kind, source, source_id) do nothing returning id',
});

const { selected, find } = caseStatements;

/** The case about what left since the backup, while the stop of the restore is on. */
export const lockCaseOfSource = {
  name: 'lock-case-of-source',
  text: `
  select ${selected}
  from ${table}
  where kind = $1 and source = $2 and source_id = $3
  for update`,
};

export const findRestore = `
  select restored_at as "restoredAt"
  from emergency_stop
  where is_stopped and restored_at is not null`;

const findMarketplace = {
  name: 'find-marketplace-of-user',
  text: `
  select marketplace_id as "marketplaceId"
  from users
  where id = $1`,
};

const countUnresolved = `
  select currency, count(*)::integer as count
  from reconciliation_cases
  where status <> 'RESOLVED'
  group by currency`;

const findOpenDifferences = `
  select id, source_id as "sourceId"
  from reconciliation_cases
  where kind = 'unexplained_difference'
    and source in ('ledger_network', 'solvency')
    and status = 'OPEN'
    and resolution is null
    and active_run is null`;

const findUnbookedDeposits = `
  select id, amount_units as "amountUnits", currency
  from reconciliation_cases
  where origin = 'deposits' and booked_at is null`;

const sumAccepted = `
  select currency, sum(amount_units)::bigint as units
  from reconciliation_cases
  where source = 'solvency'
    and status = 'RESOLVED'
    and resolution ->> 'action' = 'write_off'
    and source_id like 'unexplained:%'
  group by currency`;

const sumBookedDeposits = `
  select currency, sum(amount_units)::bigint as units
  from reconciliation_cases
  where origin = 'deposits' and booked_at is not null
  group by currency`;

/** A comparison with null is not true, so cases without a user do not match. */
const hasUser: Condition = { column: 'user_id', operator: '<>', value: '' };

export function caseStore({ pool, lists }: Pick<Database, 'pool' | 'lists'>): Deps['cases'] {
  return {
    find: async (marketplaceId, id) => (await pool.query<CaseRow>(find, [id, marketplaceId])).rows.map(fromRow)[0],
    marketplaceOfUser: async (userId) =>
      (await lists.query<Pick<CaseRow, 'marketplaceId'>>(findMarketplace, [userId])).rows[0]?.marketplaceId,
    unbookedDeposits: async () =>
      (await lists.query<Pick<CaseRow, 'id' | 'amountUnits' | 'currency'>>(findUnbookedDeposits)).rows.map(fromRow),
    acceptedDifferences: async () => {
      const { rows } = await lists.query<{ readonly currency: Currency; readonly units: bigint }>(sumAccepted);
      return new Map(rows.map(({ currency, units }) => [currency, units]));
    },
    bookedDeposits: async () => {
      const { rows } = await lists.query<{ readonly currency: Currency; readonly units: bigint }>(sumBookedDeposits);
      return new Map(rows.map(({ currency, units }) => [currency, units]));
    },
    openDifferences: async () => (await lists.query<Pick<CaseRow, 'id' | 'sourceId'>>(findOpenDifferences)).rows,
    countUnresolved: async () =>
      (await lists.query<Awaited<ReturnType<Deps['cases']['countUnresolved']>>[number]>(countUnresolved)).rows,
    list: async (marketplaceId, filter) => {
      const list = {
        columns: selected,
        from: table,
        keyset: ['created_at', 'id'],
        idColumn: 'id',
        scope: [equals('marketplace_id', marketplaceId), ...(filter.hasUser === true ? [hasUser] : [])],
        filters: [
          equals('user_id', filter.userId),
          equals('status', filter.status),
          equals('kind', filter.kind),
          ...createdWithin('created_at', filter),
        ],
      } as const;
      return (await queryPage<CaseRow>(queryLists(lists), list, filter))?.map(fromRow);
    },
  };
}
