import { getBalances } from '@holdfast/contracts/http';
import { baseCurrency } from '@holdfast/kernel/money';
import type { ServiceClient } from '@holdfast/http/service-client';
import type { Deps, UserBalance } from '../use-cases/ports.js';

export function ledgerBalances(ledger: ServiceClient): Deps['balances'] {
  return {
    of: async (userIds, { requestId, caller }) => {
      const { balances } = await ledger.call(
        getBalances,
        { body: { userIds: [...userIds], currency: baseCurrency } },
        { requestId, marketplaceId: caller.marketplaceId },
      );
      const byUser = new Map<string, UserBalance>(balances.map(({ userId, ...balance }) => [userId, balance]));
      return userIds.flatMap((userId) => byUser.get(userId) ?? []);
    },
  };
}
