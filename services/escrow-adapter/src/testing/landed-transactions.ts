import type { RunningAdapter } from './running-adapter.js';

const findLanded = `
  select hash
  from escrow_adapter.ledger_transactions
  join escrow_adapter.intents on intents.id = ledger_transactions.intent_id
  join escrow_adapter.contracts on contracts.escrow_id = intents.subject
  where contracts.order_id = $1
    and ledger_transactions.state = 'LANDED'
  order by ledger_transactions.created_at`;

/** The hashes of an order's landed transactions, oldest first. */
export async function landedHashes({ database }: RunningAdapter, orderId: string): Promise<readonly string[]> {
  return (await database.asAdmin<{ readonly hash: string }>(findLanded, [orderId])).map(({ hash }) => hash);
}
