-- Credentials that gateways have refused, counted until their minute is over and the audit trail is told.
create table refused_credentials (
  minute timestamptz not null,
  address text not null,
  -- Each gateway reports what it has counted itself.
  gateway_id uuid not null,
  count integer not null check (count > 0),
  primary key (minute, address, gateway_id)
);
