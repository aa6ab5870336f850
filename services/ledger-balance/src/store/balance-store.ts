import { In } from 'typeorm';
import type { UserId } from '@holdfast/kernel/ids';
import type { Currency } from '@holdfast/kernel/money';
import type { Database } from '@holdfast/postgres';
import type { Balance, BalanceReader } from '../use-cases/ports.js';
import { readHistory } from './history-store.js';
import { accountSchema } from './schema.js';
import { findBalance, type BalanceRow } from './sql/find-balance.js';
import { findReservedCurrencies } from './sql/find-reserved-currencies.js';

export function balanceStore(database: Database): BalanceReader {
  const { pool } = database;
  return {
    find: async (marketplaceId, userId, currency) => {
      const { rows } = await pool.query<BalanceRow>(findBalance, [marketplaceId, userId, currency]);
      return rows[0] === undefined ? undefined : toBalance(rows[0], userId, currency);
    },
    findMany: async (userIds, currency) => {
      const rows = await pool.manager.findBy(accountSchema, { owner: In(userIds), currency, kind: 'user' });
      return new Map(rows.map(({ owner, availableUnits, reservedUnits }) => [owner, { availableUnits, reservedUnits }]));
    },
    reservedCurrencies: async (userId, orderId) => {
      const { rows } = await pool.query<{ readonly currency: Currency }>(findReservedCurrencies, [userId, orderId]);
      return rows.map(({ currency }) => currency);
    },
    history: (userId, filter) => readHistory(database, userId, filter),
  };
}

/** A user without an account in the currency has a balance of zero. */
function toBalance(row: BalanceRow, userId: UserId, currency: Currency): Balance {
  return {
    userId,
    currency,
    availableUnits: row.availableUnits ?? 0n,
    reservedUnits: row.reservedUnits ?? 0n,
    updatedAt: row.updatedAt ?? row.receivedAt,
  };
}
