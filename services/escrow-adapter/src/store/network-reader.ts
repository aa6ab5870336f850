import type { NetworkIntentView, NetworkTransactionView } from '@holdfast/contracts/http';
import { isIntent } from '@holdfast/intents';
import type { Database } from '@holdfast/postgres';
import type { NetworkReader } from '../use-cases/timeline-ports.js';

export const findIntentsOfRuns = {
  name: 'find-intents-of-runs',
  text: `
  select id,
    saga_run_id as "sagaRunId",
    attempts,
    case when closed_at is null then due_at end as "nextRetryAt",
    created_at as "startedAt",
    closed_at as "endedAt",
    array(select reply ->> 'type' from jsonb_array_elements(replies) as reply) as "replyTypes"
  from intents
  where saga_run_id = any($1)
    and marketplace_id = $2
    and ${isIntent}
  order by created_at`,
};

export const findTransactionsOfRuns = {
  name: 'find-transactions-of-runs',
  text: `
  select ledger_transactions.hash,
    intents.saga_run_id as "sagaRunId",
    ledger_transactions.step as operation,
    ledger_transactions.state,
    ledger_transactions.ledger,
    ledger_transactions.created_at as "createdAt"
  from intents
  join ledger_transactions
    on ledger_transactions.intent_id = intents.id
  where intents.saga_run_id = any($1)
    and intents.marketplace_id = $2
  order by ledger_transactions.created_at desc
  limit $3`,
};

export function networkReader({ lists }: Pick<Database, 'lists'>): NetworkReader {
  return {
    intentsOf: async (marketplaceId, runIds) =>
      (await lists.query<NetworkIntentView>(findIntentsOfRuns, [runIds, marketplaceId])).rows,
    transactionsOf: async (marketplaceId, runIds, limit) =>
      (await lists.query<NetworkTransactionView>(findTransactionsOfRuns, [runIds, marketplaceId, limit])).rows,
  };
}
