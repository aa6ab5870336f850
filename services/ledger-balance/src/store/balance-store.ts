import type { Instant } from '@holdfast/shared/context';
import type { UserId } from '@holdfast/shared/ids';
import type { Currency } from '@holdfast/shared/money';
import { toAppError, type Database } from '@holdfast/shared/postgres';
import type { Amounts, Balance, BalanceReader } from '../use-cases/ports.js';
import { readHistory } from './history-store.js';

type BalanceRow = {
  readonly available_units: bigint | null;
  readonly reserved_units: bigint | null;
  readonly updated_at: Instant | null;
  readonly heard_at: Instant;
};

/** A user that never had money in a currency has a balance of zero in it. */
const findBalance = {
  name: 'find-balance',
  text: `
  select accounts.available_units, accounts.reserved_units, accounts.updated_at, users.heard_at
  from users
  left join accounts on accounts.owner = users.id
    and accounts.currency = $3
    and accounts.kind = 'user'
  where users.id = $2
    and users.marketplace_id = $1`,
};

const findBalances = {
  name: 'find-balances',
  text: `
  select owner, available_units, reserved_units
  from accounts
  where owner = any($1)
    and currency = $2
    and kind = 'user'`,
};

type AmountsRow = { readonly owner: string; readonly available_units: bigint; readonly reserved_units: bigint };

const findReservedCurrencies = {
  name: 'find-reserved-currencies',
  text: `
  select distinct accounts.currency
  from reservations
  join accounts on accounts.id = reservations.account_id
  where reservations.subject_id = $2
    and reservations.kind = 'order'
    and accounts.owner = $1
  order by accounts.currency`,
};

export function balanceStore(database: Database): BalanceReader {
  return {
    find: async (marketplaceId, userId, currency) => {
      const [row] = await rowsOf<BalanceRow>(database, findBalance, [marketplaceId, userId, currency]);
      return row === undefined ? undefined : toBalance(row, userId, currency);
    },
    findMany: async (userIds, currency) => {
      const rows = await rowsOf<AmountsRow>(database, findBalances, [userIds, currency]);
      return new Map(rows.map(({ owner, ...row }) => [owner, toAmounts(row)]));
    },
    reservedCurrencies: async (userId, orderId) => {
      const rows = await rowsOf<{ readonly currency: Currency }>(database, findReservedCurrencies, [userId, orderId]);
      return rows.map(({ currency }) => currency);
    },
    history: (userId, filter) => readHistory((statement, values) => rowsOf(database, statement, values), userId, filter),
  };
}

async function rowsOf<Row>(
  database: Database,
  statement: { readonly name: string; readonly text: string },
  values: readonly unknown[],
): Promise<readonly Row[]> {
  try {
    return (await database.pool.query({ ...statement, values: [...values] })).rows as readonly Row[];
  } catch (error) {
    throw toAppError(error);
  }
}

function toAmounts({ available_units, reserved_units }: Omit<AmountsRow, 'owner'>): Amounts {
  return { availableUnits: available_units, reservedUnits: reserved_units };
}

function toBalance(row: BalanceRow, userId: UserId, currency: Currency): Balance {
  return {
    userId,
    currency,
    availableUnits: row.available_units ?? 0n,
    reservedUnits: row.reserved_units ?? 0n,
    updatedAt: row.updated_at ?? row.heard_at,
  };
}
