import type { BalanceAfterTransfer, BalanceView } from '@holdfast/shared/contracts/http';
import { formatUnits, type Currency } from '@holdfast/shared/money';
import type { AmountsOfUser } from '../use-cases/get-balances.js';
import type { Balance, BalanceAfter } from '../use-cases/ports.js';

export function viewOfAmounts(amounts: AmountsOfUser, currency: Currency): Omit<BalanceView, 'updatedAt'> {
  return {
    userId: amounts.userId,
    available: formatUnits(amounts.availableUnits),
    reserved: formatUnits(amounts.reservedUnits),
    total: formatUnits(amounts.availableUnits + amounts.reservedUnits),
    currency,
  };
}

export function viewOfBalance(balance: Balance): BalanceView {
  return { ...viewOfAmounts(balance, balance.currency), updatedAt: balance.updatedAt };
}

export function viewOfTransfer(after: BalanceAfter): BalanceAfterTransfer {
  return { ...viewOfBalance({ ...after, updatedAt: after.at }), transferId: after.transferId };
}
