-- compatible since 0001
-- json keeps the keys of a record in the order in which they were written; jsonb does not.
alter table saga_runs
  alter column outcome type json,
  alter column early_response type json;
