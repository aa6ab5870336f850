-- The public event that was told last of the order, its escrow or its dispute: the stream shows the next one after it.
alter table orders
  add column last_event_id text;
