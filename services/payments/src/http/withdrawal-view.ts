import type { WithdrawalRecord } from '@holdfast/contracts/http';
import { formatMoney } from '@holdfast/kernel/money';
import type { Withdrawal } from '../domain/withdrawal.js';

/** The recipient gets the full amount; costs are the platform's. */
const fee = '0.00';

export function viewOfWithdrawal(withdrawal: Withdrawal): WithdrawalRecord {
  const { id, userId, amount, status, destinationType, destinationRef, description, providerPayoutId } = withdrawal;
  const { failureReason, errorCode, createdAt, updatedAt, completedAt } = withdrawal;
  return {
    id,
    userId,
    amount: formatMoney(amount),
    fee,
    currency: amount.currency,
    status,
    destinationType,
    destinationRef,
    description,
    providerPayoutId,
    failureReason,
    errorCode,
    createdAt,
    updatedAt,
    completedAt,
  };
}
