-- compatible since 0001
-- What the transactions of the last hour moved at chain accounts, so that their balances after an earlier ledger are known.
create table recent_custody_legs (
  ledger integer not null,
  account_id bigint not null,
  units bigint not null,
  booked_at timestamptz not null default now()
) with (autovacuum_vacuum_scale_factor = 0.05);

create index recent_custody_legs_of_account on recent_custody_legs (account_id, ledger) include (units);

create index recent_custody_legs_booked on recent_custody_legs using brin (booked_at);
