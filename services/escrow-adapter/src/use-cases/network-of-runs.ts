import { historyMax } from '@holdfast/contracts/http';
import type { Context } from '@holdfast/kernel/context';
import type { SagaRunId } from '@holdfast/kernel/ids';
import type { NetworkReader } from './timeline-ports.js';

/** What saga runs of the caller's marketplace do on the ledger network. Payments of other sagas are none of an order. */
export async function readNetworkOfRuns(
  network: NetworkReader,
  { sagaRunIds }: { readonly sagaRunIds: readonly SagaRunId[] },
  { caller: { marketplaceId } }: Context,
) {
  const [intents, transactions] = await Promise.all([
    network.intentsOf(marketplaceId, sagaRunIds),
    network.transactionsOf(marketplaceId, sagaRunIds, historyMax + 1),
  ]);
  return {
    intents: [...intents],
    transactions: transactions.slice(0, historyMax).toReversed(),
    hasMore: transactions.length > historyMax,
  };
}
