-- Most rows of a busy outbox have between two and eight thousand bytes. They stay in their page: parts in a table of their own
-- would have to be written, found, deleted and cleared away one by one.
alter table outbox set (toast_tuple_target = 8160);

-- No plan depends on what is in them, and taking statistics of documents is most of what it costs to take any.
alter table outbox
  alter column messages set statistics 0;

alter table saga_runs
  alter column outcome set statistics 0,
  alter column answer set statistics 0;
