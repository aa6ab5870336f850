import { In, IsNull } from 'typeorm';
import { createdWithin, equals, newestOf, queryPage, type Condition, type Database } from '@holdfast/postgres';
import type { Currency } from '@holdfast/kernel/money';
import { users } from '@holdfast/service-kit/known-users';
import type { Deps } from '../use-cases/ports.js';
import { writesOf } from './aggregate-statements.js';
import { fromRow } from './rows.js';
import { cases, type CaseRow } from './schema.js';

export const caseWrites = writesOf(cases, {
  fixed: ['id', 'marketplaceId', 'kind', 'currency', 'source', 'sourceId', 'createdAt'],
  insertSuffix: 'on conflict (kind, source, source_id) do nothing returning id',
});

/** The time of the restore, while the stop that followed it is on. */
export const findRestore = `
  select restored_at as "restoredAt"
  from emergency_stop
  where is_stopped and restored_at is not null`;

const countUnresolved = `
  select currency, count(*)::integer as count
  from reconciliation_cases
  where status <> 'RESOLVED'
  group by currency`;

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

const isOpenDifference = {
  kind: 'unexplained_difference',
  source: In(['ledger_network', 'solvency']),
  status: 'OPEN',
  resolution: IsNull(),
  activeRun: IsNull(),
} as const;

/** A comparison with null is not true, so cases without a user do not match. */
const hasUser: Condition = { column: 'user_id', operator: '<>', value: '' };

export function caseStore({ pool, lists }: Pick<Database, 'pool' | 'lists'>): Deps['cases'] {
  const unitsByCurrency = async (sum: string): Promise<ReadonlyMap<Currency, bigint>> => {
    const { rows } = await lists.query<{ readonly currency: Currency; readonly units: bigint }>(sum);
    return new Map(rows.map(({ currency, units }) => [currency, units]));
  };
  return {
    find: async (marketplaceId, id) => (await pool.manager.findBy(cases.entity, { id, marketplaceId })).map(fromRow)[0],
    marketplaceOfUser: async (id) => (await lists.manager.findOneBy(users.entity, { id }))?.marketplaceId,
    unbookedDeposits: async () =>
      (await lists.manager.findBy(cases.entity, { origin: 'deposits', bookedAt: IsNull() })).map(fromRow),
    acceptedDifferences: () => unitsByCurrency(sumAccepted),
    bookedDeposits: () => unitsByCurrency(sumBookedDeposits),
    openDifferences: () => lists.manager.findBy(cases.entity, isOpenDifference),
    countUnresolved: async () =>
      (await lists.query<Awaited<ReturnType<Deps['cases']['countUnresolved']>>[number]>(countUnresolved)).rows,
    list: async (marketplaceId, filter) => {
      const list = {
        ...newestOf(cases),
        scope: [equals('marketplace_id', marketplaceId), ...(filter.hasUser === true ? [hasUser] : [])],
        filters: [
          equals('user_id', filter.userId),
          equals('status', filter.status),
          equals('kind', filter.kind),
          ...createdWithin('created_at', filter),
        ],
      };
      return (await queryPage<CaseRow>(lists, list, filter))?.map(fromRow);
    },
  };
}
