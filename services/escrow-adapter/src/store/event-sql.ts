import { insertMany, selectList } from '@holdfast/shared/postgres';
import { eventColumns } from './schema.js';

/**
 * What our own tables say of events, which are given as `[{ eventId, contractId, orderId, transactionHash }]`: the contract they speak
 * of, the intent that works on it, and whether the transaction is our own. A contract that has an id of its own is not the one that an event with another id speaks of.
 */
export const findSubjects = {
  name: 'find-subjects-of-events',
  text: `
  select given."eventId",
    contract."escrowId",
    intents.id as "intentId",
    ledger_transactions.hash is not null as "isOwnTransaction"
  from jsonb_to_recordset($1) as given ("eventId" text, "contractId" text, "orderId" text, "transactionHash" text)
  left join contracts as named
    on named.contract_id = given."contractId"
  left join lateral (
    select contracts.escrow_id,
      contracts.contract_id
    from contracts
    where contracts.order_id = given."orderId"
      and contracts.status <> 'FAILED'
    order by contracts.created_at desc
    limit 1
  ) as latest
    on true
  cross join lateral (
    select coalesce(named.escrow_id, case when latest.contract_id is null then latest.escrow_id end) as "escrowId"
  ) as contract
  left join intents
    on intents.subject = contract."escrowId"
      and intents.closed_at is null
  left join ledger_transactions
    on ledger_transactions.hash = given."transactionHash"`,
};

/** What was stored stays, unless it had no signature and now comes with one. */
export const insertEvents = insertMany({
  name: 'insert-provider-events',
  table: 'provider_events',
  columns: eventColumns,
  suffix: `
  on conflict (event_id) do update
  set id = excluded.id,
    type = excluded.type,
    contract_id = excluded.contract_id,
    order_id = excluded.order_id,
    transaction_hash = excluded.transaction_hash,
    milestone_ref = excluded.milestone_ref,
    is_signed = excluded.is_signed,
    received_at = excluded.received_at,
    processed_at = excluded.processed_at,
    attempts = excluded.attempts,
    due_at = excluded.due_at,
    result = excluded.result
  where excluded.is_signed
    and not provider_events.is_signed
  returning id`,
});

export const finishEvent = {
  name: 'finish-provider-event',
  text: `
  update provider_events
  set processed_at = now(),
    attempts = attempts + 1,
    result = $2
  where id = $1
    and processed_at is null`,
};

/** Twice as long after each attempt, up to a minute. */
export const postponeEvent = {
  name: 'postpone-provider-event',
  text: `
  update provider_events
  set attempts = attempts + 1,
    due_at = now() + make_interval(secs => least(60, power(2, attempts))),
    result = $2
  where id = $1
    and processed_at is null`,
};

/** Nobody else takes them for a while. */
export const takeDueEvents = {
  name: 'take-due-provider-events',
  text: `
  update provider_events
  set due_at = now() + make_interval(secs => $2)
  where event_id in (
    select event_id
    from provider_events
    where processed_at is null
      and due_at <= now()
    order by due_at
    limit $1
    for update skip locked
  )
  returning ${selectList(eventColumns, 'provider_events')}`,
};

/** The newest few: whoever floods us with names gains nothing. */
export const findNamedContracts = {
  name: 'find-named-contracts',
  text: `
  select distinct contract_id as "contractId"
  from (
    select contract_id
    from provider_events
    where order_id = $1
      and type = 'escrow.created'
    order by received_at desc
    limit 20
  ) as named`,
};
