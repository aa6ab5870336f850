-- compatible since 0000
-- Events of a provider, each stored once, before anything is done about it. Applied to the schema of a service that receives webhooks.
create table webhook_events (
  id text primary key,
  -- The id that the provider assigned, else one that the service computes; a repeated event is not handled again.
  provider_event_id text not null unique,
  event_type text not null,
  -- What the service reads at each attempt: the body as it was received, or what the service keeps of it.
  body bytea not null,
  -- Anybody can send an event without a signature. A signed event replaces an unsigned one with the same id.
  is_signed boolean not null,
  received_at timestamptz not null,
  handled_at timestamptz,
  -- Null while the event waits for its next attempt.
  result text check (result in ('applied', 'ignored', 'failed')),
  -- What the last attempt found.
  note text,
  -- Attempts that have begun.
  attempts integer not null,
  next_attempt_at timestamptz,
  check ((result is null) = (next_attempt_at is not null))
) with (autovacuum_analyze_scale_factor = 0.05);

create index webhook_events_due on webhook_events (next_attempt_at)
  where next_attempt_at is not null;

-- For the job that deletes old events; those without a signature are deleted earlier.
create index webhook_events_received on webhook_events (is_signed, received_at);
