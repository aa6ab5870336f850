import { getBalances } from '@holdfast/contracts/http';
import type { ServiceClient } from '@holdfast/http/service-client';
import { money, parseUnits } from '@holdfast/kernel/money';
import type { Deps } from '../use-cases/ports.js';

export function ledgerBalances(ledger: ServiceClient): Deps['balances'] {
  return {
    available: async (userId, currency, { requestId, caller }) => {
      const { balances } = await ledger.call(
        getBalances,
        { body: { userIds: [userId], currency } },
        { requestId, marketplaceId: caller.marketplaceId },
      );
      const found = balances.find((balance) => balance.userId === userId);
      return money(found === undefined ? 0n : parseUnits(found.available), currency);
    },
  };
}
