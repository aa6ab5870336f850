import { createdWithin, equals, queryLists, queryPage, type Database } from '@holdfast/postgres';
import type { Withdrawal } from '../domain/withdrawal.js';
import type { Deps } from '../use-cases/ports.js';
import { aggregateStatements, takeDueStatement } from './aggregate-statements.js';
import { fromRow } from './rows.js';
import { withdrawalColumns, type WithdrawalRow } from './schema.js';

const table = 'withdrawals';

/** A withdrawal is visible once its amount is reserved. */
const visible = '(select * from withdrawals where held_at is not null) as withdrawals';

export const withdrawalStatements = aggregateStatements({
  table,
  visible,
  columns: withdrawalColumns,
  fixed: ['id', 'marketplaceId', 'userId', 'amountUnits', 'currency', 'createdAt'],
});

const { selected, find } = withdrawalStatements;

const findByCodeOrPayout = {
  name: 'find-withdrawal-of-payout',
  text: `
  select ${selected}
  from withdrawals
  where id = $1
    or provider_payout_id = $2
  order by id = $1 desc
  limit 1`,
};

const takeDue = takeDueStatement({ table, selected });

const finalStatuses = `('WITHDRAWAL_COMPLETED', 'WITHDRAWAL_FAILED', 'WITHDRAWAL_CANCELED')`;

const findOpenOfUser = `
  select ${selected}
  from withdrawals
  where marketplace_id = $1
    and user_id = $2
    and held_at is not null
    and status not in ${finalStatuses}
  order by created_at desc, id desc
  limit $3`;

const findOpenTo = `
  select id
  from withdrawals
  where destination_type = 'ledger'
    and destination_ref = $1
    and amount_units = $2
    and status not in ${finalStatuses}`;

const findLeaving = `
  select id, amount_units as "amountUnits", currency
  from withdrawals
  where destination_type = 'ledger'
    and committed_at is not null
    and status not in ${finalStatuses}`;

/** The history of the network shows a payment later than the RPC, which has proved it. */
const findJustLeft = `
  select id, amount_units as "amountUnits", currency
  from withdrawals
  where destination_type = 'ledger'
    and status = 'WITHDRAWAL_COMPLETED'
    and completed_at > now() - interval '1 minute'`;

/** Withdrawals of one user that one request refreshes. */
const openOfUserMax = 20;

/** Also those whose amount is not reserved yet. */
export const withdrawalsSince = {
  name: 'find-withdrawals-of-user-since',
  text: `
  select created_at as "createdAt"
  from withdrawals
  where marketplace_id = $1
    and user_id = $2
    and created_at > $3
  order by created_at`,
};

export const lockUser = {
  name: 'lock-user',
  text: `
  select id
  from users
  where id = $1
    and marketplace_id = $2
  for update`,
};

export function withdrawalStore({ pool, lists }: Pick<Database, 'pool' | 'lists'>): Deps['withdrawals'] {
  return {
    find: async (marketplaceId, id) => toWithdrawals((await pool.query<WithdrawalRow>(find, [id, marketplaceId])).rows)[0],
    findByCodeOrPayout: async (code, payoutId) =>
      toWithdrawals((await pool.query<WithdrawalRow>(findByCodeOrPayout, [code, payoutId])).rows)[0],
    findOpenTo: async (address, units) => (await lists.query<Pick<Withdrawal, 'id'>>(findOpenTo, [address, units])).rows,
    findLeaving: async () =>
      (await lists.query<Pick<WithdrawalRow, 'id' | 'amountUnits' | 'currency'>>(findLeaving)).rows.map(fromRow),
    findJustLeft: async () =>
      (await lists.query<Pick<WithdrawalRow, 'id' | 'amountUnits' | 'currency'>>(findJustLeft)).rows.map(fromRow),
    takeDue: async (limitMax) => toWithdrawals((await lists.query<WithdrawalRow>(takeDue, [limitMax])).rows),
    findOpenOfUser: async (marketplaceId, userId) =>
      toWithdrawals((await lists.query<WithdrawalRow>(findOpenOfUser, [marketplaceId, userId, openOfUserMax])).rows),
    list: async (marketplaceId, filter) => {
      const list = {
        columns: selected,
        from: visible,
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
