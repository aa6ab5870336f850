-- The public event that has to be shown before what comes of the intent. An intent outlives the message that named it.
alter table intents
  add column after_event_id text;
