import { In, IsNull, Not } from 'typeorm';
import { createdWithin, equals, newestOf, queryPage, type Database } from '@holdfast/postgres';
import { claimDue } from '@holdfast/work';
import type { Topup } from '../domain/topup.js';
import type { Deps } from '../use-cases/ports.js';
import { takeDueStatement, writesOf } from './aggregate-statements.js';
import { fromRow } from './rows.js';
import { topups, type TopupRow } from './schema.js';

export const topupWrites = writesOf(topups, {
  fixed: ['id', 'marketplaceId', 'userId', 'amountUnits', 'currency', 'createdAt'],
});

const findByCodeOrPayin = {
  name: 'find-topup-of-payin',
  text: `
  select ${topups.selected}
  from topups
  where id = $1
    or provider_payin_id = $2
  order by id = $1 desc
  limit 1`,
};

const takeDue = takeDueStatement(topups);

const takeReturn = {
  name: 'take-topup-return',
  text: `
  update topups
  set returned_at = now()
  where id = $1
    and (returned_at is null or returned_at < now() - interval '5 seconds')
  returning id`,
};

/** Pay-ins that are read at the payment provider now. The next read is set before, so that two replicas never read the same one. */
const takeUnconfirmed = claimDue({
  name: 'take-unconfirmed-topups',
  table: 'topups',
  where: 'next_confirmation_at <= now()',
  orderBy: 'next_confirmation_at',
  limit: '$1',
  set: 'next_confirmation_at = now() + make_interval(secs => $2)',
  returning: topups.selected,
});

const isOpen = Not(In(['TOPUP_SUCCEEDED', 'TOPUP_FAILED', 'TOPUP_CANCELED'] satisfies readonly Topup['status'][]));

/** Top-ups of one user that one request refreshes. */
const openOfUserMax = 20;

export function topupStore({ pool, lists }: Pick<Database, 'pool' | 'lists'>): Deps['topups'] {
  return {
    find: async (marketplaceId, id) => (await pool.manager.findBy(topups.entity, { id, marketplaceId })).map(fromRow)[0],
    findByCodeOrPayin: async (code, payinId) =>
      (await pool.query<TopupRow>(findByCodeOrPayin, [code, payinId])).rows.map(fromRow)[0],
    takeReturn: async (id) => (await pool.query(takeReturn, [id])).rows.length > 0,
    takeDue: async (limitMax) => (await lists.query<TopupRow>(takeDue, [limitMax])).rows.map(fromRow),
    findOpenOfUser: async (marketplaceId, userId) => {
      const where = { marketplaceId, userId, status: isOpen };
      const order = { createdAt: 'desc', id: 'desc' } as const;
      return (await lists.manager.find(topups.entity, { where, order, take: openOfUserMax })).map(fromRow);
    },
    takeUnconfirmed: async (limitMax, readAgainMs) =>
      (await lists.query<TopupRow>(takeUnconfirmed, [limitMax, readAgainMs / 1_000])).rows.map(fromRow),
    findUnconfirmedOfUser: async (marketplaceId, userId) => {
      const where = { marketplaceId, userId, unconfirmedSince: Not(IsNull()) };
      const order = { unconfirmedSince: 'asc' } as const;
      return (await pool.manager.find(topups.entity, { where, order, take: openOfUserMax })).map(fromRow);
    },
    list: async (marketplaceId, filter) => {
      const list = {
        ...newestOf(topups),
        scope: [equals('marketplace_id', marketplaceId)],
        filters: [equals('user_id', filter.userId), equals('status', filter.status), ...createdWithin('created_at', filter)],
      };
      return (await queryPage<TopupRow>(lists, list, filter))?.map(fromRow);
    },
  };
}
