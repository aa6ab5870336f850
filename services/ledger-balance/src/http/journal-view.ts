import { formatUnits } from '@holdfast/kernel/money';
import type { CustodyAccountPage } from '../use-cases/list-custody-accounts.js';
import type { SharedTotal } from '../use-cases/ports.js';

export function viewOfTotals(totals: readonly SharedTotal[]) {
  return { totals: totals.map(({ owner, currency, units }) => ({ owner, currency, amount: formatUnits(units) })) };
}

export function viewOfCustodyAccounts({ accounts, after }: CustodyAccountPage) {
  const balances = accounts.map(({ place, ownerId, asset, units }) => ({ place, ownerId, asset, amount: formatUnits(units) }));
  return { balances, after };
}
