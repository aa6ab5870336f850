-- compatible since 0001
-- Events of the payment provider are in webhook_events now. provider_events stays for processes of the version before; a later
-- migration drops it. What they leave in it is not lost: the payments that it is about are polled.
with moved as (
  delete from provider_events
  returning id, provider_event_id, event_type, body, received_at, handled_at, result, attempts, next_attempt_at
)
insert into webhook_events (
  id, provider_event_id, event_type, body, is_signed, received_at, handled_at, result, attempts, next_attempt_at
)
select id, provider_event_id, event_type, body, true, received_at, handled_at, result, attempts, next_attempt_at
from moved;
