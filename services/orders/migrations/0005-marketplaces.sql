-- compatible since 0001
-- What each marketplace has decided about its disputes, copied from the messages of identity. No row: no deadlines.
create table marketplaces (
  id text primary key,
  dispute_response_period text,
  dispute_decision_period text,
  on_no_response text not null check (on_no_response in ('none', 'opener')),
  -- The version at identity. An older change never overwrites a newer one.
  version integer not null
);
