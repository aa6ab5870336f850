import { findOrderTransfers, getBalances } from '@holdfast/contracts/http';
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

export function ledgerTransfers(ledger: ServiceClient): Deps['transfers'] {
  return {
    ofOrder: (id, { limit, ...filter }, { requestId, caller }) => {
      const given = Object.entries({ ...filter, limit: String(limit) }).filter(isGiven);
      const input = { params: { id }, query: Object.fromEntries(given) };
      return ledger.call(findOrderTransfers, input, { requestId, marketplaceId: caller.marketplaceId });
    },
  };
}

function isGiven(field: readonly [string, string | undefined]): field is [string, string] {
  return field[1] !== undefined;
}
