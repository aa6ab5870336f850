-- compatible since 0001
-- A message that its consumers acknowledge has a row of its own, which is published again until all of them have done so. A process of
-- the version before publishes such a row once and deletes it.
alter table outbox
  -- The only message of the row. A service may look up here which of its messages were not acknowledged.
  add column message_id text,
  -- The services that have not acknowledged the message. Null where none has to: such a row is deleted once published.
  add column awaits text[],
  -- How often a sweeper has taken the row.
  add column attempts integer not null default 0,
  add check ((message_id is null) = (awaits is null));

create index outbox_message_id on outbox (message_id)
  where message_id is not null;
