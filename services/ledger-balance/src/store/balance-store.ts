import { In } from 'typeorm';
import type { UserId } from '@holdfast/kernel/ids';
import type { Currency } from '@holdfast/kernel/money';
import type { Database } from '@holdfast/postgres';
import type { Balance, BalanceReader } from '../use-cases/ports.js';
import { readHistory } from './history-store.js';
import { readReservations } from './reservation-store.js';
import { accounts, type AccountRow } from './schema.js';
import { findAllBalances } from './sql/find-all-balances.js';
import { findBalance, type BalanceRow } from './sql/find-balance.js';
import { findBalanceAt } from './sql/find-balance-at.js';
import { findReservedCurrencies } from './sql/find-reserved-currencies.js';

export function balanceStore(database: Database): BalanceReader {
  const { pool } = database;
  return {
    find: async (marketplaceId, { userId, currency, at }) => {
      const named = [marketplaceId, userId, currency];
      const { rows } =
        at === undefined
          ? await pool.query<BalanceRow>(findBalance, named)
          : await pool.query<BalanceRow>(findBalanceAt, [...named, at]);
      return rows[0] === undefined ? undefined : toBalance(rows[0], userId, currency);
    },
    findAll: async (marketplaceId, userId) => {
      const { rows } = await pool.query<AccountRow>(findAllBalances, [marketplaceId, userId]);
      return rows.map(({ currency, availableUnits, reservedUnits, updatedAt }) => {
        return { userId, currency: currency as Currency, availableUnits, reservedUnits, updatedAt };
      });
    },
    findMany: async (userIds, currency) => {
      const rows = await pool.manager.findBy(accounts.entity, { owner: In(userIds), currency, kind: 'user' });
      return new Map(rows.map(({ owner, availableUnits, reservedUnits }) => [owner, { availableUnits, reservedUnits }]));
    },
    reservedCurrencies: async (userId, orderId) => {
      const { rows } = await pool.query<{ readonly currency: Currency }>(findReservedCurrencies, [userId, orderId]);
      return rows.map(({ currency }) => currency);
    },
    history: (userId, filter) => readHistory(database, userId, filter),
    reservations: (userId, filter) => readReservations(database, userId, filter),
  };
}

/** A user without an account in the currency, or without a transfer at the time, has a balance of zero. */
function toBalance(row: BalanceRow, userId: UserId, currency: Currency): Balance {
  return {
    userId,
    currency,
    availableUnits: row.availableUnits ?? 0n,
    reservedUnits: row.reservedUnits ?? 0n,
    updatedAt: row.updatedAt ?? row.receivedAt,
  };
}
