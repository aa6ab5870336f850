-- compatible since 0004
-- The intent that a lease is held for. Once the intent is closed the lease is free, whatever its end says.
alter table leases add column holder text;
