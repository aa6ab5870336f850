import type { Database } from '@holdfast/postgres';
import type { EventSubject, FindEventSubject } from '../use-cases/ports.js';

/**
 * What an event is about by our own tables. It finds its contract by contract id, else by order id if the contract has no contract id
 * yet.
 */
export const selectEventSubject = {
  name: 'select-event-subject',
  text: `
  select contract.escrow_id as "escrowId",
    intents.id as "intentId",
    exists (
      select
      from ledger_transactions
      where ledger_transactions.hash = given.transaction_hash
    ) as "isOwnTransaction"
  from (
    select $1::text as contract_id,
      $2::text as order_id,
      $3::text as transaction_hash
  ) as given
  left join contracts as named
    on named.contract_id = given.contract_id
  left join lateral (
    select contracts.escrow_id,
      contracts.contract_id
    from contracts
    where contracts.order_id = given.order_id
      and contracts.status <> 'FAILED'
    order by contracts.created_at desc
    limit 1
  ) as latest
    on true
  cross join lateral (
    select coalesce(named.escrow_id, case when latest.contract_id is null then latest.escrow_id end) as escrow_id
  ) as contract
  left join intents
    on intents.subject = contract.escrow_id
      and intents.closed_at is null`,
};

type SubjectRow = { readonly [Property in keyof EventSubject]: EventSubject[Property] | null };

export function eventSubjects({ pool }: Pick<Database, 'pool'>): FindEventSubject {
  return async ({ contract_id, order_id = null, transaction_hash = null }) => {
    const { rows } = await pool.query<SubjectRow>(selectEventSubject, [contract_id, order_id, transaction_hash]);
    const { escrowId, intentId, isOwnTransaction } = rows[0] ?? {};
    return { escrowId: escrowId ?? undefined, intentId: intentId ?? undefined, isOwnTransaction: isOwnTransaction === true };
  };
}
