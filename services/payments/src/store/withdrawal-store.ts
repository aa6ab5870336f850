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
import type { Withdrawal } from '../domain/withdrawal.js';
import type { Deps } from '../use-cases/ports.js';
import { fromRow } from './rows.js';
import { withdrawalColumns, type WithdrawalRow } from './schema.js';

const columns = selectList(withdrawalColumns, 'withdrawals');
const ofWithdrawals = { table: 'withdrawals', columns: withdrawalColumns } as const;

/** A withdrawal is visible once its amount is reserved. */
const visibleWithdrawals = '(select * from withdrawals where held_at is not null) as withdrawals';

export const insertWithdrawals = insertMany({ ...ofWithdrawals, name: 'insert-withdrawals' });

export const updateWithdrawals = updateMany({
  ...ofWithdrawals,
  name: 'update-withdrawals',
  key: ['id'],
  set: propertiesBut(withdrawalColumns, ['id', 'marketplaceId', 'userId', 'amountUnits', 'currency', 'createdAt']),
});

export const lockWithdrawal = {
  name: 'lock-withdrawal',
  text: `
  select ${columns}
  from withdrawals
  where id = $1
  for update`,
};

const findWithdrawal = {
  name: 'find-withdrawal',
  text: `
  select ${columns}
  from withdrawals
  where id = $1
    and marketplace_id = $2
    and held_at is not null`,
};

const findByCodeOrPayout = {
  name: 'find-withdrawal-of-payout',
  text: `
  select ${columns}
  from withdrawals
  where id = $1
    or provider_payout_id = $2
  order by id = $1 desc
  limit 1`,
};

// The next poll is set before the provider is asked, so that two replicas never ask for the same withdrawal. Polls back off to
// an hour: webhooks and refreshes are faster.
const takeDue = {
  name: 'take-due-withdrawals',
  text: `
  with due as materialized (
    select id
    from withdrawals
    where next_poll_at <= now()
    order by next_poll_at
    limit $1
    for update skip locked
  )
  update withdrawals
  set polls = polls + 1,
    next_poll_at = now() + make_interval(secs => least(5 * power(2, least(polls, 20)), 3600))
  from due
  where withdrawals.id = due.id
  returning ${columns}`,
};

const finalStatuses = `('WITHDRAWAL_COMPLETED', 'WITHDRAWAL_FAILED', 'WITHDRAWAL_CANCELED')`;

const findOpenOfUser = `
  select ${columns}
  from withdrawals
  where marketplace_id = $1
    and user_id = $2
    and held_at is not null
    and status not in ${finalStatuses}
  order by created_at desc, id desc
  limit $3`;

/** Withdrawals of one user that one request refreshes. */
const openOfUserMax = 20;

const countCreatedSince = `
  select count(*)::integer as count
  from withdrawals
  where user_id = $1
    and created_at > $2`;

export function withdrawalStore({ pool, lists }: Pick<Database, 'pool' | 'lists'>): Deps['withdrawals'] {
  return {
    find: async (marketplaceId, id) =>
      toWithdrawals((await pool.query<WithdrawalRow>(findWithdrawal, [id, marketplaceId])).rows)[0],
    findByCodeOrPayout: async (code, payoutId) =>
      toWithdrawals((await pool.query<WithdrawalRow>(findByCodeOrPayout, [code, payoutId])).rows)[0],
    takeDue: async (limitMax) => toWithdrawals((await lists.query<WithdrawalRow>(takeDue, [limitMax])).rows),
    findOpenOfUser: async (marketplaceId, userId) =>
      toWithdrawals((await lists.query<WithdrawalRow>(findOpenOfUser, [marketplaceId, userId, openOfUserMax])).rows),
    countCreatedSince: async (userId, since) =>
      (await lists.query<{ readonly count: number }>(countCreatedSince, [userId, since])).rows[0]?.count ?? 0,
    list: async (marketplaceId, filter) => {
      const list = {
        columns,
        from: visibleWithdrawals,
        keyset: ['created_at', 'id'],
        idColumn: 'id',
        scope: [equals('marketplace_id', marketplaceId)],
        filters: [equals('user_id', filter.userId), equals('status', filter.status), ...createdWithin('created_at', filter)],
      } as const;
      return (await queryPage<WithdrawalRow>(queryLists(lists), list, filter))?.map(fromRow);
    },
  };
}

function toWithdrawals(rows: readonly WithdrawalRow[]): readonly Withdrawal[] {
  return rows.map(fromRow);
}
