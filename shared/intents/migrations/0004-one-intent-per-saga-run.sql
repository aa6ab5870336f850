-- compatible since 0004
-- A saga run has one intent, or none because it was aborted. The abort is stored as an intent of its own, which is closed from the
-- beginning. Of a command and the abort of its run, the one that is stored first wins.
drop index intents_saga_run;

create unique index intents_saga_run on intents (saga_run_id);
