-- What became of requests with an Idempotency-Key. A row lives 24 hours from its first request.
create table idempotency_records (
  -- The API key's id, or master.
  owner text not null,
  key uuid not null,
  -- Digest of the request: the same key with another request is refused.
  fingerprint text not null,
  -- The request that runs; null once it is over. A claim that is not renewed has died with its process.
  claim_id uuid,
  claimed_until timestamptz,
  -- The response, encrypted; null while there is none that may be sent again.
  response bytea,
  -- The operation id that services see is derived from this: it changes when the key counts as new.
  created_at timestamptz not null,
  primary key (owner, key),
  check ((claim_id is null) = (claimed_until is null))
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02);

-- Only of requests that run, so that renewing their claims reads nothing else.
create index idempotency_records_claimed on idempotency_records (claim_id)
  where claim_id is not null;

create index idempotency_records_by_age on idempotency_records (created_at);

-- Requests counted per caller for all replicas together. Losing it in a crash only begins the windows anew, so it is not logged.
create unlogged table rate_windows (
  key text primary key,
  used integer not null,
  ends_at timestamptz not null
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);

create index rate_windows_by_end on rate_windows (ends_at);
