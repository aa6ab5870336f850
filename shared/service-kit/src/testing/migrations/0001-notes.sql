-- compatible since 0001
create table notes (
  id bigint generated always as identity primary key,
  user_id text not null
);
