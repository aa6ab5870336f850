import { selectList, unnestRows } from '@holdfast/postgres';
import { eventColumns } from './schema.js';

/**
 * What our own tables say of the events in `given`: the contract they speak of, the intent that works on it, and a verdict where nothing is
 * left to do. A contract that has an id of its own is not the one that an event with another id speaks of.
 */
const judged = `
    select given.event_id,
      contract.escrow_id,
      intents.id as intent_id,
      case
        when contract.escrow_id is null then 'not ours'
        when intents.id is not null then 'woke its intent'
        when ledger_transactions.hash is not null then 'our own doing'
      end as verdict
    from given
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
        and intents.closed_at is null
    left join ledger_transactions
      on ledger_transactions.hash = given.transaction_hash`;

const judgement = `event_id as "eventId",
    escrow_id as "escrowId",
    intent_id as "intentId",
    verdict`;

export const newEvents = unnestRows(eventColumns, [
  'eventId',
  'id',
  'type',
  'contractId',
  'orderId',
  'transactionHash',
  'milestoneRef',
  'isSigned',
  'receivedAt',
  'dueAt',
]);

/**
 * Stores and judges events in one statement, and returns those that were stored. What was stored before stays, unless it had no signature
 * and now comes with one.
 */
export const insertEvents = {
  name: 'insert-provider-events',
  text: `
  with given as (
    select *
    from ${newEvents.from}
  ),
  judged as (${judged}
  ),
  stored as (
    insert into provider_events (event_id, id, type, contract_id, order_id, transaction_hash, milestone_ref, is_signed,
      received_at, due_at, processed_at, attempts, result)
    select given.event_id, given.id, given.type, given.contract_id, given.order_id, given.transaction_hash, given.milestone_ref,
      given.is_signed, given.received_at, given.due_at,
      case when judged.verdict is not null then now() end,
      case when judged.verdict is not null then 1 else 0 end,
      judged.verdict
    from given
    join judged using (event_id)
    on conflict (event_id) do update
    set id = excluded.id,
      type = excluded.type,
      contract_id = excluded.contract_id,
      order_id = excluded.order_id,
      transaction_hash = excluded.transaction_hash,
      milestone_ref = excluded.milestone_ref,
      is_signed = excluded.is_signed,
      received_at = excluded.received_at,
      due_at = excluded.due_at,
      processed_at = excluded.processed_at,
      attempts = excluded.attempts,
      result = excluded.result
    where excluded.is_signed
      and not provider_events.is_signed
    returning event_id
  )
  select ${judgement}
  from judged
  join stored using (event_id)`,
};

/** Of stored events, which are given by their ids. */
export const judgeEvents = {
  name: 'judge-provider-events',
  text: `
  with given as (
    select event_id, contract_id, order_id, transaction_hash
    from provider_events
    where event_id = any($1)
  )
  select ${judgement}
  from (${judged}
  ) as judged`,
};

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
export const claimDueEvents = {
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
