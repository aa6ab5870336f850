import { createdWithin, equals, queryLists, queryPage, type Database } from '@holdfast/postgres';
import { claimDue } from '@holdfast/work';
import type { Topup } from '../domain/topup.js';
import type { Deps } from '../use-cases/ports.js';
import { aggregateStatements, takeDueStatement } from './aggregate-statements.js';
import { fromRow } from './rows.js';
import { topupColumns, type TopupRow } from './schema.js';

const table = 'topups';

export const topupStatements = aggregateStatements({
  table,
  columns: topupColumns,
  fixed: ['id', 'marketplaceId', 'userId', 'amountUnits', 'currency', 'createdAt'],
});

const { selected, find } = topupStatements;

const findByCodeOrPayin = {
  name: 'find-topup-of-payin',
  text: `
  select ${selected}
  from topups
  where id = $1
    or provider_payin_id = $2
  order by id = $1 desc
  limit 1`,
};

const takeDue = takeDueStatement({ table, selected });

const takeReturn = {
  name: 'take-topup-return',
  text: `
  update topups
  set returned_at = now()
  where id = $1
    and (returned_at is null or returned_at < now() - interval '5 seconds')
  returning id`,
};

const finalStatuses = `('TOPUP_SUCCEEDED', 'TOPUP_FAILED', 'TOPUP_CANCELED')`;

const findOpenOfUser = `
  select ${selected}
  from topups
  where marketplace_id = $1
    and user_id = $2
    and status not in ${finalStatuses}
  order by created_at desc, id desc
  limit $3`;

/** Pay-ins that are read at the payment provider now. The next read is set before, so that two replicas never read the same one. */
const takeUnconfirmed = claimDue({
  name: 'take-unconfirmed-topups',
  table: 'topups',
  where: 'next_confirmation_at <= now()',
  orderBy: 'next_confirmation_at',
  limit: '$1',
  set: 'next_confirmation_at = now() + make_interval(secs => $2)',
  returning: selected,
});

const findUnconfirmedOfUser = {
  name: 'find-unconfirmed-topups-of-user',
  text: `
  select ${selected}
  from topups
  where marketplace_id = $1
    and user_id = $2
    and unconfirmed_since is not null
  order by unconfirmed_since
  limit $3`,
};

/** Top-ups of one user that one request refreshes. */
const openOfUserMax = 20;

export const topupsSince = {
  name: 'find-topups-of-user-since',
  text: `
  select created_at as "createdAt"
  from topups
  where marketplace_id = $1
    and user_id = $2
    and created_at > $3
  order by created_at`,
};

export function topupStore({ pool, lists }: Pick<Database, 'pool' | 'lists'>): Deps['topups'] {
  return {
    find: async (marketplaceId, id) => toTopups((await pool.query<TopupRow>(find, [id, marketplaceId])).rows)[0],
    findByCodeOrPayin: async (code, payinId) =>
      toTopups((await pool.query<TopupRow>(findByCodeOrPayin, [code, payinId])).rows)[0],
    takeReturn: async (id) => (await pool.query(takeReturn, [id])).rows.length > 0,
    takeDue: async (limitMax) => toTopups((await lists.query<TopupRow>(takeDue, [limitMax])).rows),
    findOpenOfUser: async (marketplaceId, userId) =>
      toTopups((await lists.query<TopupRow>(findOpenOfUser, [marketplaceId, userId, openOfUserMax])).rows),
    takeUnconfirmed: async (limitMax, readAgainMs) =>
      toTopups((await lists.query<TopupRow>(takeUnconfirmed, [limitMax, readAgainMs / 1_000])).rows),
    findUnconfirmedOfUser: async (marketplaceId, userId) =>
      toTopups((await pool.query<TopupRow>(findUnconfirmedOfUser, [marketplaceId, userId, openOfUserMax])).rows),
    list: async (marketplaceId, filter) => {
      const list = {
        columns: selected,
        from: table,
        keyset: ['created_at', 'id'],
        idColumn: 'id',
        scope: [equals('marketplace_id', marketplaceId)],
        filters: [equals('user_id', filter.userId), equals('status', filter.status), ...createdWithin('created_at', filter)],
      } as const;
      return (await queryPage<TopupRow>(queryLists(lists), list, filter))?.map(fromRow);
    },
  };
}

function toTopups(rows: readonly TopupRow[]): readonly Topup[] {
  return rows.map(fromRow);
}
