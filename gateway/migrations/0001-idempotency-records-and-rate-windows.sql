-- compatible since 0001
-- The state of requests with an Idempotency-Key. A row is deleted 24 hours after its first request.
create table idempotency_records (
  -- The API key's id, or master.
  owner text not null,
  key uuid not null,
  -- Digest of method, path, marketplace and body: the same key with a different request is refused.
  fingerprint text not null,
  -- The running request; null once it has finished. A claim that is not renewed belonged to a process that died.
  claim_id uuid,
  claimed_until timestamptz,
  -- The stored response, encrypted; null while there is none.
  response bytea,
  -- The operation id that services receive is derived from this column, so it changes when the key counts as new.
  created_at timestamptz not null,
  primary key (owner, key),
  check ((claim_id is null) = (claimed_until is null))
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02);

-- Partial: claims of running requests are renewed by claim_id.
create index idempotency_records_claimed on idempotency_records (claim_id)
  where claim_id is not null;

create index idempotency_records_by_age on idempotency_records (created_at);

-- Requests per caller, counted over all replicas. Unlogged: a crash of Postgres only restarts the windows.
create unlogged table rate_windows (
  key text primary key,
  used integer not null,
  ends_at timestamptz not null
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);

create index rate_windows_by_end on rate_windows (ends_at);
