-- compatible since 0001
-- What a handled message leads to in the benchmark of messaging. Its key shows that nothing was done twice.
create table effects (
  message_id text primary key,
  handled_at timestamptz not null default now()
);
