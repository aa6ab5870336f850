import { excludedList, insertMany, propertiesBut, unnestRows } from '@holdfast/postgres';
import { backoffInterval, claimDue } from '@holdfast/work';
import { events, ignoredEvents } from './schema.js';

/**
 * Classifies the events in `given` by our own tables: their contract, its open intent, and a result where nothing is left to do.
 * An event finds its contract by contract id, else by order id if the contract has no contract id yet.
 */
const classified = `
    select given.event_id,
      contract.escrow_id,
      intents.id as intent_id,
      case
        when contract.escrow_id is null then 'unknown contract'
        when intents.id is not null then 'intent woken'
        when ledger_transactions.hash is not null then 'own transaction'
      end as result
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

const classificationColumns = `event_id as "eventId",
    escrow_id as "escrowId",
    intent_id as "intentId",
    result`;

/** Events before they are classified. */
export const newEvents = unnestRows(events.columns, propertiesBut(events.columns, ['processedAt', 'attempts', 'result']));

/**
 * Stores and classifies events in one statement, and returns those that were stored. A stored event is replaced only if it had no
 * signature and the new one has.
 */
export const insertEvents = {
  name: 'insert-provider-events',
  text: `
  with given as (
    select *
    from ${newEvents.from}
  ),
  classified as (${classified}
  ),
  stored as (
    insert into provider_events (${newEvents.columns}, processed_at, attempts, result)
    select ${newEvents.values},
      case when classified.result is not null then now() end,
      case when classified.result is not null then 1 else 0 end,
      classified.result
    from given
    join classified using (event_id)
    on conflict (event_id) do update
    set ${excludedList(events.columns, propertiesBut(events.columns, ['eventId']))}
    where excluded.is_signed
      and not provider_events.is_signed
    returning event_id
  )
  select ${classificationColumns}
  from classified
  join stored using (event_id)`,
};

export const insertIgnoredEvents = insertMany({
  ...ignoredEvents,
  name: 'insert-ignored-provider-events',
  suffix: 'on conflict (event_id) do nothing',
});

/** Classifies stored events again; a contract or an intent may have been stored since. */
export const classifyEvents = {
  name: 'classify-provider-events',
  text: `
  with given as (
    select event_id, contract_id, order_id, transaction_hash
    from provider_events
    where event_id = any($1)
  )
  select ${classificationColumns}
  from (${classified}
  ) as classified`,
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

/** Exponential backoff, up to a minute. */
export const postponeEvent = {
  name: 'postpone-provider-event',
  text: `
  update provider_events
  set attempts = attempts + 1,
    due_at = now() + ${backoffInterval({ attempts: 'attempts', first: '1', max: '60' })},
    result = $2
  where id = $1
    and processed_at is null`,
};

/** Moves `due_at`, so that other processes do not claim the events for that time. */
export const claimDueEvents = claimDue({
  name: 'claim-due-provider-events',
  table: 'provider_events',
  key: 'event_id',
  where: 'processed_at is null and due_at <= now()',
  orderBy: 'due_at',
  limit: '$1',
  set: 'due_at = now() + make_interval(secs => $2)',
  returning: events.selected,
});
