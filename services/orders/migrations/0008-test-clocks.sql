-- compatible since 0001
-- The test clock of a marketplace, copied from the messages of identity. Only the sandbox lets it be advanced; it never goes back.
alter table marketplaces
  -- How far it is ahead of the real time.
  add column clock_offset_seconds integer not null default 0 check (clock_offset_seconds >= 0),
  -- The time of the marketplace while its timers catch up with an advance; null once they have.
  add column clock_stands_at timestamptz;

create index marketplaces_ahead on marketplaces (id)
  where clock_offset_seconds > 0;
