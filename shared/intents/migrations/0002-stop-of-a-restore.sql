-- compatible since 0001
-- When a backup was restored, while its stop is on; null for the stop of a person.
alter table emergency_stop add column restored_at timestamptz;
