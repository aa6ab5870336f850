import { handleOnce } from '@holdfast/messaging/inbox';
import type { Database } from '@holdfast/postgres';
import type { Deps } from '../use-cases/ports.js';

const storeMarketplace = {
  name: 'store-marketplace',
  text: `
  insert into marketplaces (id, dispute_response_period, dispute_decision_period, on_no_response, version)
  values ($1, $2, $3, $4, $5)
  on conflict (id) do update
  set dispute_response_period = excluded.dispute_response_period,
    dispute_decision_period = excluded.dispute_decision_period,
    on_no_response = excluded.on_no_response,
    version = excluded.version
  where marketplaces.version < excluded.version`,
};

/** Stores the newest settings of a marketplace. */
export function marketplaceHandler(database: Pick<Database, 'inTransaction'>): Deps['handleMarketplaceChanged'] {
  return handleOnce({ database, consumer: 'orders' }, (tx, { aggregateVersion, payload }) => {
    const { marketplaceId, disputeResponsePeriod, disputeDecisionPeriod, onNoResponse } = payload;
    tx.defer(storeMarketplace, [marketplaceId, disputeResponsePeriod, disputeDecisionPeriod, onNoResponse, aggregateVersion]);
    return Promise.resolve();
  });
}
