-- compatible since 0001
-- What could not be read. Where nothing could be compared, the totals are unknown, and zero here.
alter table reconciliation_reports
  add column unavailable json not null default '[]',
  add column is_compared boolean not null default true;

-- The ledger of the network that was read; null where no account was.
alter table reconciliation_reports add column ledger integer;

-- What the platform owes and has. Null where a source could not be read.
alter table reconciliation_reports
  add column liabilities_units bigint,
  add column assets_units bigint,
  add column own_money_units bigint,
  add column unexplained_units bigint,
  add column in_flight json not null default '[]';

-- What the owners of the platform had put in at the payment provider when it was first read. One row.
create table provider_capital (
  is_only boolean primary key default true check (is_only),
  units bigint not null,
  recorded_at timestamptz not null default now()
);

-- The fees of the payment provider that are booked, or will be: their sum was published in the commit that stored them.
create table provider_fees (
  provider_id text primary key,
  units bigint not null
);
