import type { BalanceAfterTransfer, BalanceSyncView, BalanceVerificationView, BalanceView } from '@holdfast/contracts/http';
import { formatUnits, type Currency } from '@holdfast/kernel/money';
import type { AmountsOfUser } from '../use-cases/get-balances.js';
import type { Balance, BalanceAfter } from '../use-cases/ports.js';
import type { SyncResult } from '../use-cases/sync-balance.js';
import type { Verification } from '../use-cases/verify-balance.js';

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
  return {
    userId: after.userId,
    available: formatUnits(after.availableUnits),
    reserved: formatUnits(after.reservedUnits),
    total: formatUnits(after.availableUnits + after.reservedUnits),
    currency: after.currency,
    updatedAt: after.at,
    transferId: after.transferId,
  };
}

export function viewOfVerification(verification: Verification): BalanceVerificationView {
  const { balance, address, asset, onNetworkUnits, differenceUnits } = verification;
  return {
    isValid: differenceUnits === 0n,
    offChainBalance: viewOfBalance(balance),
    onChainBalance: { address, balance: formatUnits(onNetworkUnits), asset },
    difference: formatUnits(differenceUnits),
  };
}

export function viewOfSync({ previous, current, adjustmentUnits, isDifferent }: SyncResult): BalanceSyncView {
  return {
    synced: true,
    previousBalance: viewOfBalance(previous),
    currentBalance: viewOfBalance(current),
    discrepancyDetected: isDifferent,
    adjustment: adjustmentUnits === 0n ? null : formatUnits(adjustmentUnits),
  };
}
