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
import type { Topup } from '../domain/topup.js';
import type { Deps } from '../use-cases/ports.js';
import { fromRow } from './rows.js';
import { topupColumns, type TopupRow } from './schema.js';

const columns = selectList(topupColumns, 'topups');
const ofTopups = { table: 'topups', columns: topupColumns } as const;

export const insertTopups = insertMany({ ...ofTopups, name: 'insert-topups' });

export const updateTopups = updateMany({
  ...ofTopups,
  name: 'update-topups',
  key: ['id'],
  set: propertiesBut(topupColumns, ['id', 'marketplaceId', 'userId', 'amountUnits', 'currency', 'createdAt']),
});

export const lockTopup = {
  name: 'lock-topup',
  text: `
  select ${columns}
  from topups
  where id = $1
  for update`,
};

const findTopup = {
  name: 'find-topup',
  text: `
  select ${columns}
  from topups
  where id = $1
    and marketplace_id = $2`,
};

const findByCodeOrPayin = {
  name: 'find-topup-of-payin',
  text: `
  select ${columns}
  from topups
  where id = $1
    or provider_payin_id = $2
  order by id = $1 desc
  limit 1`,
};

// The next poll is set before the provider is asked, so that two replicas never ask for the same top-up. Polls back off to
// an hour: webhooks and refreshes are faster.
const takeDue = {
  name: 'take-due-topups',
  text: `
  with due as materialized (
    select id
    from topups
    where next_poll_at <= now()
    order by next_poll_at
    limit $1
    for update skip locked
  )
  update topups
  set polls = polls + 1,
    next_poll_at = now() + make_interval(secs => least(5 * power(2, least(polls, 20)), 3600))
  from due
  where topups.id = due.id
  returning ${columns}`,
};

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
  select ${columns}
  from topups
  where marketplace_id = $1
    and user_id = $2
    and status not in ${finalStatuses}
  order by created_at desc, id desc
  limit $3`;

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
    find: async (marketplaceId, id) => toTopups((await pool.query<TopupRow>(findTopup, [id, marketplaceId])).rows)[0],
    findByCodeOrPayin: async (code, payinId) =>
      toTopups((await pool.query<TopupRow>(findByCodeOrPayin, [code, payinId])).rows)[0],
    takeReturn: async (id) => (await pool.query(takeReturn, [id])).rows.length > 0,
    takeDue: async (limitMax) => toTopups((await lists.query<TopupRow>(takeDue, [limitMax])).rows),
    findOpenOfUser: async (marketplaceId, userId) =>
      toTopups((await lists.query<TopupRow>(findOpenOfUser, [marketplaceId, userId, openOfUserMax])).rows),
    list: async (marketplaceId, filter) => {
      const list = {
        columns,
        from: 'topups',
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
