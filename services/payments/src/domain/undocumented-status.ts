import { baseCurrency, money } from '@holdfast/kernel/money';
import type { NewCase } from './case.js';
import type { Topup } from './topup.js';
import type { Withdrawal } from './withdrawal.js';

type Payment = Pick<Topup | Withdrawal, 'id' | 'marketplaceId' | 'userId'>;

/** The case about a payment whose status is not documented. Its amount is zero, because we do not know what became of the money. */
export function undocumentedStatusCase(payment: Payment, status: string, providerId: string): NewCase {
  const { id, marketplaceId, userId } = payment;
  return {
    kind: 'quarantined_record',
    marketplaceId,
    userId,
    amount: money(0n, baseCurrency),
    origin: 'adjustments',
    source: 'payment_provider',
    sourceId: `${providerId} ${status}`,
    reason: `The payment provider reports the status "${status}", which it does not document. It is not polled any more.`,
    relatedId: id,
  };
}
