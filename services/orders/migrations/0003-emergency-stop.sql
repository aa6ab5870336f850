-- compatible since 0001
-- Whether a person has stopped signing and payouts; no row means that nobody ever has. The same table as in the services that sign.
create table emergency_stop (
  is_only_row boolean primary key default true check (is_only_row),
  is_stopped boolean not null,
  -- The version at identity. An older change never overwrites a newer one.
  version integer not null,
  changed_at timestamptz not null,
  -- When a backup was restored, while its stop is on; null for the stop of a person.
  restored_at timestamptz
);
