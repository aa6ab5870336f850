-- compatible since 0001
-- What a case about a restored backup lists; empty for every other case.
alter table reconciliation_cases add column outflows json not null default '[]';
