import { getWalletHoldings, syncDeposits } from '@holdfast/contracts/http';
import { parseUnits } from '@holdfast/kernel/money';
import type { ServiceClient } from '@holdfast/http/service-client';
import type { Deps } from '../use-cases/ports.js';

/** Calls escrow-adapter, which owns the wallets on the ledger network. */
export function createWalletClient(adapter: ServiceClient): Pick<Deps['wallets'], 'networkHoldings' | 'syncDeposits'> {
  return {
    networkHoldings: async ({ marketplaceId, userId, requestId }, asset) => {
      const requestContext = { marketplaceId, requestId };
      const { address, holdings } = await adapter.call(getWalletHoldings, { params: { userId } }, requestContext);
      const ofAsset = holdings.find((holding) => holding.asset === asset);
      return { address, units: parseUnits(ofAsset?.amount ?? '0.00') };
    },
    syncDeposits: async ({ marketplaceId, userId, requestId }) => {
      const { deposits } = await adapter.call(syncDeposits, { params: { userId } }, { marketplaceId, requestId });
      return deposits.map(({ currency, amount, operationId }) => ({ currency, units: parseUnits(amount), operationId }));
    },
  };
}
