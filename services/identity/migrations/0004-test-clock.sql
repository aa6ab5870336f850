-- compatible since 0003
-- How far the test clock of a marketplace is ahead of the real time. Only the sandbox lets it be advanced; it never goes back.
alter table marketplaces
  add column clock_offset_seconds integer not null default 0 check (clock_offset_seconds >= 0);
