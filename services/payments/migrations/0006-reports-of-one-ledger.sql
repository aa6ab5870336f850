-- compatible since 0001
-- What could not be read: the amounts of such a report are unknown, and zero here.
alter table reconciliation_reports add column unavailable json not null default '[]';

-- The ledger of the network that was read; null where no account was.
alter table reconciliation_reports add column ledger integer;
