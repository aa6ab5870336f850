import { Client } from 'pg';
import { grouped } from './grouped.js';

/** A transaction of an order that is on the ledger network. */
export type LandedStep = {
  readonly orderId: string;
  readonly contractId: string;
  readonly step: string;
  readonly hash: string;
  /** When it was signed and stored, just before its first submission; unix milliseconds. */
  readonly storedAt: number;
  readonly ledger: number;
};

const selectLanded = `
  select
    contracts.order_id as "orderId",
    contracts.contract_id as "contractId",
    ledger_transactions.step,
    ledger_transactions.hash,
    (extract(epoch from ledger_transactions.created_at) * 1000)::float8 as "storedAt",
    ledger_transactions.ledger
  from escrow_adapter.ledger_transactions
  join escrow_adapter.intents on intents.id = ledger_transactions.intent_id
  join escrow_adapter.contracts on contracts.escrow_id = intents.subject
  where ledger_transactions.state = 'LANDED'
  order by ledger_transactions.ledger`;

/** By order, in the order in which they landed. */
export async function readLandedSteps(databaseUrl: string): Promise<ReadonlyMap<string, readonly LandedStep[]>> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<LandedStep>(selectLanded);
    return grouped(rows, ({ orderId }) => orderId);
  } finally {
    await client.end();
  }
}
