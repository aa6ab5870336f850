/**
 * What our own tables say of events: the contract they speak of, the intent that works on it, and the result of those about
 * which nothing is left to do. A contract that has an id of its own is not the one that an event with another id speaks of.
 * Sub-selects of one value are looked up by index, row by row; an `exists` may be answered by reading a whole table.
 */
const judgedFrom = (events: string): string => `
  placed as materialized (
    select ${events}.*,
      coalesce(
        (
          select contracts.escrow_id
          from contracts
          where contracts.contract_id = ${events}.contract_id
        ),
        (
          select case when latest.contract_id is null then latest.escrow_id end
          from (
            select contracts.contract_id, contracts.escrow_id
            from contracts
            where contracts.order_id = ${events}.order_id
              and contracts.status <> 'FAILED'
            order by contracts.created_at desc
            limit 1
          ) as latest
        )
      ) as escrow_id
    from ${events}
  ),
  worked_on as materialized (
    select placed.*,
      (
        select intents.id
        from intents
        where intents.subject = placed.escrow_id
          and intents.closed_at is null
      ) as intent_id
    from placed
  ),
  judged as materialized (
    select worked_on.*,
      case
        when escrow_id is null then 'not ours'
        when intent_id is not null then 'woke its intent'
        when (
          select true
          from ledger_transactions
          where ledger_transactions.hash = worked_on.transaction_hash
        ) then 'our own doing'
      end as verdict
    from worked_on
  )`;

/**
 * Kept and judged in one commit: whoever dies after it leaves nothing undone but what the outside world must be asked about.
 * What was kept stays, unless it was a mere hint and now comes with a proof.
 */
export const keepEvents = {
  name: 'keep-provider-events',
  text: `
  with given as (
    select event_id, id, type, contract_id, order_id, transaction_hash, milestone_ref, is_signed, received_at
    from unnest(
      $1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::boolean[], $9::timestamptz[]
    ) as given (event_id, id, type, contract_id, order_id, transaction_hash, milestone_ref, is_signed, received_at)
  ),
  ${judgedFrom('given')},
  kept as (
    insert into provider_events (
      event_id, id, type, contract_id, order_id, transaction_hash, milestone_ref, is_signed, received_at,
      processed_at, attempts, due_at, result
    )
    select event_id, id, type, contract_id, order_id, transaction_hash, milestone_ref, is_signed, received_at,
      case when verdict is not null then now() end,
      case when verdict is not null then 1 else 0 end,
      now() + make_interval(secs => $10),
      verdict
    from judged
    order by event_id
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
    returning id
  )
  select judged.id,
    judged.escrow_id as "escrowId",
    judged.intent_id as "intentId",
    judged.verdict is not null as "isDone"
  from judged
  join kept on kept.id = judged.id`,
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

/** Those that have found their answer in our own tables meanwhile are done with this. */
export const takeDueEvents = {
  name: 'take-due-provider-events',
  text: `
  with due as materialized (
    select event_id, contract_id, order_id, transaction_hash
    from provider_events
    where processed_at is null
      and due_at <= now()
    order by due_at
    limit $1
    for update skip locked
  ),
  ${judgedFrom('due')}
  update provider_events
  set due_at = now() + make_interval(secs => $2),
    processed_at = case when judged.verdict is not null then now() end,
    attempts = provider_events.attempts + case when judged.verdict is not null then 1 else 0 end,
    result = coalesce(judged.verdict, provider_events.result)
  from judged
  where provider_events.event_id = judged.event_id
  returning provider_events.event_id as "eventId",
    provider_events.id,
    provider_events.type,
    provider_events.contract_id as "contractId",
    provider_events.order_id as "orderId",
    provider_events.transaction_hash as "transactionHash",
    provider_events.milestone_ref as "milestoneRef",
    provider_events.is_signed as "isSigned",
    provider_events.received_at as "receivedAt",
    provider_events.attempts,
    judged.escrow_id as "escrowId",
    judged.intent_id as "intentId",
    judged.verdict is not null as "isDone"`,
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
