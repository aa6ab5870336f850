import type { LedgerCheck } from '@holdfast/contracts/http';
import { formatUnits } from '@holdfast/kernel/money';
import type { CustodyAccountPage } from '../use-cases/list-custody-accounts.js';
import type { LedgerReport, SharedTotal } from '../use-cases/ports.js';

export function viewOfTotals(totals: readonly SharedTotal[]) {
  return { totals: totals.map(({ owner, currency, units }) => ({ owner, currency, amount: formatUnits(units) })) };
}

export function viewOfCustodyAccounts({ accounts, after }: CustodyAccountPage) {
  const balances = accounts.map(({ place, ownerId, asset, units }) => ({ place, ownerId, asset, amount: formatUnits(units) }));
  return { balances, after };
}

export function viewOfCheck({ checkedAt, transfers, accounts, discrepancies, books }: LedgerReport): LedgerCheck {
  return {
    checkedAt,
    isSound: discrepancies.length === 0,
    transfers: Number(transfers),
    accounts: Number(accounts),
    discrepancies: [...discrepancies],
    books: books.map(({ book, currency, units }) => ({ book, currency, amount: formatUnits(units) })),
  };
}
