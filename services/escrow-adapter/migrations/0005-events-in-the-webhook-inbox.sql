-- compatible since 0001
-- Events of the escrow provider are in webhook_events now. The tables before it stay for processes of the version before; a later
-- migration drops them. What they leave in them is not lost: the contracts that it is about are checked.
with moved as (
  delete from provider_events
  returning id, event_id, type, contract_id, order_id, transaction_hash, milestone_ref, is_signed, received_at, processed_at,
    attempts, due_at, result
)
insert into webhook_events (
  id, provider_event_id, event_type, body, is_signed, received_at, handled_at, result, note, attempts, next_attempt_at
)
select id,
  event_id,
  type,
  convert_to(
    json_strip_nulls(
      json_build_object(
        'contract_id', contract_id,
        'order_id', order_id,
        'transaction_hash', transaction_hash,
        'milestone_ref', milestone_ref
      )
    )::text,
    'UTF8'
  ),
  is_signed,
  received_at,
  processed_at,
  case
    when processed_at is null then null
    when result in ('unknown contract', 'the transaction failed') or result like 'never confirmed: %' then 'ignored'
    else 'applied'
  end,
  result,
  attempts,
  case when processed_at is null then due_at end
from moved;

-- The same event id may have been used by an event that was understood.
with moved as (
  delete from ignored_provider_events
  returning event_id, body, received_at
)
insert into webhook_events (
  id, provider_event_id, event_type, body, is_signed, received_at, handled_at, result, note, attempts
)
select 'whe_' || md5(event_id), event_id, '', body, true, received_at, received_at, 'ignored', 'unknown type or format', 0
from moved
on conflict (provider_event_id) do nothing;
