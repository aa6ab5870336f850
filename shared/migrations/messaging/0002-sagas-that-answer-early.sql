-- What whoever waits is told where the saga goes on after that: the run itself stays open.
alter table saga_runs add column answer jsonb;
