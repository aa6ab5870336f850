import { In, IsNull, Not } from 'typeorm';
import { createdWithin, equals, newestOf, queryPage, type Database } from '@holdfast/postgres';
import type { Withdrawal } from '../domain/withdrawal.js';
import type { Deps } from '../use-cases/ports.js';
import { takeDueStatement, writesOf } from './aggregate-statements.js';
import { fromRow } from './rows.js';
import { withdrawals, type WithdrawalRow } from './schema.js';

export const withdrawalWrites = writesOf(withdrawals, {
  fixed: ['id', 'marketplaceId', 'userId', 'amountUnits', 'currency', 'createdAt'],
});

const findByCodeOrPayout = {
  name: 'find-withdrawal-of-payout',
  text: `
  select ${withdrawals.selected}
  from withdrawals
  where id = $1
    or provider_payout_id = $2
  order by id = $1 desc
  limit 1`,
};

const takeDue = takeDueStatement(withdrawals);

/** The history of the network shows a payment later than the RPC, which has proved it. */
const findJustLeft = `
  select ${withdrawals.selected}
  from withdrawals
  where destination_type = 'ledger'
    and status = 'WITHDRAWAL_COMPLETED'
    and completed_at > now() - interval '1 minute'`;

const isOpen = Not(
  In(['WITHDRAWAL_COMPLETED', 'WITHDRAWAL_FAILED', 'WITHDRAWAL_CANCELED'] satisfies readonly Withdrawal['status'][]),
);

/** A withdrawal is visible once its amount is reserved. */
const isVisible = { reservedAt: Not(IsNull()) };

/** Withdrawals of one user that one request refreshes. */
const openOfUserMax = 20;

export function withdrawalStore({ pool, lists }: Pick<Database, 'pool' | 'lists'>): Deps['withdrawals'] {
  return {
    find: async (marketplaceId, id) =>
      (await pool.manager.findBy(withdrawals.entity, { id, marketplaceId, ...isVisible })).map(fromRow)[0],
    findByCodeOrPayout: async (code, payoutId) =>
      (await pool.query<WithdrawalRow>(findByCodeOrPayout, [code, payoutId])).rows.map(fromRow)[0],
    findOpenTo: async (destinationRef, amountUnits) => {
      const where = { destinationType: 'ledger', destinationRef, amountUnits, status: isOpen } as const;
      return (await lists.manager.findBy(withdrawals.entity, where)).map(fromRow);
    },
    findLeaving: async () => {
      const where = { destinationType: 'ledger', committedAt: Not(IsNull()), status: isOpen } as const;
      return (await lists.manager.findBy(withdrawals.entity, where)).map(fromRow);
    },
    findJustLeft: async () => (await lists.query<WithdrawalRow>(findJustLeft)).rows.map(fromRow),
    takeDue: async (limitMax) => (await lists.query<WithdrawalRow>(takeDue, [limitMax])).rows.map(fromRow),
    findOpenOfUser: async (marketplaceId, userId) => {
      const where = { marketplaceId, userId, ...isVisible, status: isOpen };
      const order = { createdAt: 'desc', id: 'desc' } as const;
      return (await lists.manager.find(withdrawals.entity, { where, order, take: openOfUserMax })).map(fromRow);
    },
    list: async (marketplaceId, filter) => {
      const list = {
        ...newestOf(withdrawals),
        from: '(select * from withdrawals where reserved_at is not null) as withdrawals',
        scope: [equals('marketplace_id', marketplaceId)],
        filters: [equals('user_id', filter.userId), equals('status', filter.status), ...createdWithin('created_at', filter)],
      };
      return (await queryPage<WithdrawalRow>(lists, list, filter))?.map(fromRow);
    },
  };
}
