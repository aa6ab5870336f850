-- compatible since 0001
-- Whether the message may have been delivered before, and parked. True by default, because a process of the version before does not
-- say it.
alter table deliveries
  add column is_repeated boolean not null default true;
