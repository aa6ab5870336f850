import { refreshUserPayments } from '@holdfast/contracts/http';
import { parseMoney } from '@holdfast/kernel/money';
import type { ServiceClient } from '@holdfast/http/service-client';
import type { Deps } from '../use-cases/ports.js';

/** Calls payments, which owns the top-ups and withdrawals. */
export function createPaymentsClient(payments: ServiceClient): Deps['payments'] {
  return {
    refreshUser: async ({ marketplaceId, userId, requestId }) => {
      const { credited = [] } = await payments.call(refreshUserPayments, { params: { userId } }, { marketplaceId, requestId });
      return credited.map(({ topupId, amount, currency }) => ({ topupId, amount: parseMoney(amount, currency) }));
    },
  };
}
