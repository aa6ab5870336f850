import {
  createdWithin,
  equals,
  insertMany,
  propertiesBut,
  queryLists,
  queryPage,
  selectList,
  updateMany,
  type Database,
} from '@holdfast/postgres';
import type { Deps } from '../use-cases/ports.js';
import { fromRow } from './rows.js';
import { caseColumns, type CaseRow } from './schema.js';

const columns = selectList(caseColumns, 'reconciliation_cases');
const ofCases = { table: 'reconciliation_cases', columns: caseColumns } as const;

export const insertCases = insertMany({
  ...ofCases,
  name: 'insert-cases',
  suffix: 'on conflict (kind, source, source_id) do nothing returning id',
});

export const updateCases = updateMany({
  ...ofCases,
  name: 'update-cases',
  key: ['id'],
  set: propertiesBut(caseColumns, ['id', 'marketplaceId', 'kind', 'amountUnits', 'currency', 'source', 'sourceId', 'createdAt']),
});

export const lockCase = {
  name: 'lock-case',
  text: `
  select ${columns}
  from reconciliation_cases
  where id = $1
  for update`,
};

const findCase = {
  name: 'find-case',
  text: `
  select ${columns}
  from reconciliation_cases
  where id = $1
    and marketplace_id = $2`,
};

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

export function caseStore({ pool, lists }: Pick<Database, 'pool' | 'lists'>): Deps['cases'] {
  return {
    find: async (marketplaceId, id) => (await pool.query<CaseRow>(findCase, [id, marketplaceId])).rows.map(fromRow)[0],
    marketplaceOfUser: async (userId) =>
      (await lists.query<Pick<CaseRow, 'marketplaceId'>>(findMarketplace, [userId])).rows[0]?.marketplaceId,
    countUnresolved: async () =>
      (await lists.query<Awaited<ReturnType<Deps['cases']['countUnresolved']>>[number]>(countUnresolved)).rows,
    list: async (marketplaceId, filter) => {
      const list = {
        columns,
        from: 'reconciliation_cases',
        keyset: ['created_at', 'id'],
        idColumn: 'id',
        scope: [equals('marketplace_id', marketplaceId)],
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
