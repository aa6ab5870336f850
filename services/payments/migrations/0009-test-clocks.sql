-- compatible since 0008
-- The test clocks of marketplaces, copied from the messages of identity. No row: the real time. Only the sandbox lets them be advanced.
create table test_clocks (
  marketplace_id text primary key,
  -- How far it is ahead of the real time. It never becomes less.
  offset_seconds integer not null check (offset_seconds > 0)
);
