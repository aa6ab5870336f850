-- compatible since 0001
-- The result of each operation id, so that a repeated request gets the first result. Results may contain secrets and are encrypted.
create table idempotent_requests (
  id text primary key,
  fingerprint text not null,
  result bytea not null,
  done_at timestamptz not null
);

create index idempotent_requests_done on idempotent_requests (done_at);
