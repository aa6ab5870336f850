import type { BalanceAfterTransfer, BalanceView } from '@holdfast/shared/contracts/http';
import { formatUnits } from '@holdfast/shared/money';
import type { Balance, BalanceAfter } from '../use-cases/ports.js';

export function viewOfBalance(balance: Balance): BalanceView {
  return {
    userId: balance.userId,
    available: formatUnits(balance.availableUnits),
    reserved: formatUnits(balance.reservedUnits),
    total: formatUnits(balance.availableUnits + balance.reservedUnits),
    currency: balance.currency,
    updatedAt: balance.updatedAt,
  };
}

export function viewOfTransfer(after: BalanceAfter): BalanceAfterTransfer {
  return { ...viewOfBalance({ ...after, updatedAt: after.at }), transferId: after.transferId };
}
