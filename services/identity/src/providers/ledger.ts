import { getBalances } from '@holdfast/shared/contracts/http';
import { baseCurrency } from '@holdfast/shared/money';
import type { ServiceClient } from '@holdfast/shared/service-client';
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
