import type { PaymentAccountLinkRecord, TopupRecord } from '@holdfast/contracts/http';
import { formatMoney } from '@holdfast/kernel/money';
import type { PaymentAccount } from '../domain/payment-account.js';
import type { Topup } from '../domain/topup.js';
import type { RefreshedPayments } from '../use-cases/refresh-user-payments.js';

export function viewOfTopup(topup: Topup): TopupRecord {
  const { id, userId, amount, status, description, providerPayinId, confirmationUri, expiresAt } = topup;
  const { failureReason, errorCode, metadata, createdAt, updatedAt } = topup;
  return {
    id,
    userId,
    amount: formatMoney(amount),
    currency: amount.currency,
    status,
    description,
    providerPayinId,
    confirmationUri,
    expiresAt,
    failureReason,
    errorCode,
    metadata,
    createdAt,
    updatedAt,
  };
}

/** Only an account that the provider accepts is linked. */
export function viewOfAccount({ userId, paymentAccountUserId, email, linkedAt }: PaymentAccount): PaymentAccountLinkRecord {
  return { userId, paymentAccountUserId, linkedAt, eligible: true, email };
}

export function viewOfRefresh({ refreshed, credited }: RefreshedPayments) {
  const found = credited.map(({ id, amount }) => ({ topupId: id, amount: formatMoney(amount), currency: amount.currency }));
  return { refreshed, credited: found };
}
