-- compatible since 0007
-- The aborts of the version before. A late command finds them among the intents now.
with moved as (
  delete from aborted_runs
  returning saga_run_id, replies::jsonb as replies, aborted_at
)
insert into intents (
  id, kind, subject, priority, marketplace_id, correlation_id, saga, saga_run_id, requested_at, payload, created_at, closed_at, replies
)
select 'abort_' || saga_run_id,
  'aborted',
  replies -> 0 ->> 'aggregateId',
  0,
  replies -> 0 ->> 'marketplaceId',
  replies -> 0 ->> 'correlationId',
  replies -> 0 ->> 'saga',
  saga_run_id,
  aborted_at,
  '{}',
  aborted_at,
  aborted_at,
  replies
from moved;
