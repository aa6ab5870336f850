-- compatible since 0002
-- How the disputes of a marketplace are timed. Periods are ISO 8601 durations; null means no deadline.
alter table marketplaces
  add column dispute_response_period text,
  add column dispute_decision_period text,
  add column on_no_response text not null default 'none' check (on_no_response in ('none', 'opener')),
  -- Counts the published changes of the marketplace.
  add column version integer not null default 1;
