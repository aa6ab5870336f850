import type { NetworkIntentView, NetworkTransactionView } from '@holdfast/contracts/http';
import type { MarketplaceId, SagaRunId } from '@holdfast/kernel/ids';

/** What saga runs of a marketplace have done on the ledger network. */
export type NetworkReader = {
  readonly intentsOf: (marketplaceId: MarketplaceId, runIds: readonly SagaRunId[]) => Promise<readonly NetworkIntentView[]>;
  /** The newest transactions, newest first. */
  readonly transactionsOf: (
    marketplaceId: MarketplaceId,
    runIds: readonly SagaRunId[],
    limit: number,
  ) => Promise<readonly NetworkTransactionView[]>;
};
