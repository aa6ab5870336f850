-- compatible since 0001
-- An intent can act on a part of its subject, such as a milestone of a contract; empty for the whole of it.
alter table intents add column subject_part text not null default '';

create unique index intents_open_subject_part on intents (subject, subject_part)
  where closed_at is null;

-- The new index starts with the same column and replaces it.
drop index intents_open_subject;
