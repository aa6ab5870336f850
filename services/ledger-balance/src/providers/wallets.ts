import { getWalletHoldings, syncDeposits } from '@holdfast/shared/contracts/http';
import { parseUnits } from '@holdfast/shared/money';
import type { ServiceClient } from '@holdfast/shared/service-client';
import type { Deps } from '../use-cases/ports.js';

/** What wallets hold on the ledger network, from the service that owns them. */
export function askWallets(adapter: ServiceClient): Pick<Deps['wallets'], 'onNetwork' | 'lookForDeposits'> {
  return {
    onNetwork: async ({ marketplaceId, userId, requestId }, asset) => {
      const askedFor = { marketplaceId, requestId };
      const { address, holdings } = await adapter.ask(getWalletHoldings, { params: { userId } }, askedFor);
      const held = holdings.find((holding) => holding.asset === asset);
      return { address, units: parseUnits(held?.amount ?? '0.00') };
    },
    lookForDeposits: async ({ marketplaceId, userId, requestId }) => {
      const { deposits } = await adapter.ask(syncDeposits, { params: { userId } }, { marketplaceId, requestId });
      return deposits.map(({ asset, amount, operationId }) => ({ asset, units: parseUnits(amount), operationId }));
    },
  };
}
