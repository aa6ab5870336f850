import type { Database } from '@holdfast/postgres';
import type { AccountHistory, AccountPosition, AccountTransaction } from '../use-cases/ports.js';
import type { TransferRow } from './schema.js';
import { countAccountTransactions, findAccountTransactions, positionRows } from './sql/find-account-transactions.js';
import { findAllBalances } from './sql/find-all-balances.js';

type TransactionRow = TransferRow & Pick<AccountPosition, 'currency'>;

/** Reads the history of a person's accounts in all currencies, page by page. */
export function accountHistory({ lists }: Pick<Database, 'lists'>): AccountHistory {
  return {
    positions: async (marketplaceId, userId) => {
      const { rows } = await lists.query<AccountPosition>(findAllBalances, [marketplaceId, userId]);
      return rows.map(({ id, version, currency }) => ({ id, version, currency }));
    },
    page: async (positions, { limit, offset }) => {
      const accounts = positionRows.valuesOf(positions);
      // Transfers up to a version never change, so the two need not read at the same moment.
      const [page, counted] = await Promise.all([
        lists.query<TransactionRow>(findAccountTransactions, [...accounts, limit, offset]),
        lists.query<{ readonly total: number }>(countAccountTransactions, accounts),
      ]);
      return { items: page.rows.map(toItem), total: counted.rows[0]?.total ?? 0 };
    },
  };
}

function toItem({ id, currency, description, createdAt, ...row }: TransactionRow): AccountTransaction {
  const changeUnits = (row.availableChangeUnits ?? 0n) + (row.reservedChangeUnits ?? 0n);
  return { id, currency, description, createdAt, changeUnits };
}
