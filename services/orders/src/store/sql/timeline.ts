/** The newest runs of an order, with how they have ended. */
export const findRunsOfOrder = {
  name: 'find-runs-of-order',
  text: `
  select id,
    saga,
    begun_at as "begunAt",
    closed_at as "closedAt",
    attempts,
    next_retry_at as "nextRetryAt",
    retry_stopped_reason as "retryStoppedReason",
    outcome
  from saga_runs
  where aggregate_id = $1
    and marketplace_id = $2
  order by begun_at desc
  limit $3`,
};

export const findTimersOfOrder = {
  name: 'find-timers-of-order',
  text: `
  select kind,
    subject,
    due_at as "dueAt",
    attempts,
    held_reason as "heldReason"
  from timers
  where order_id = $1
    and marketplace_id = $2
  order by due_at`,
};

export const findDisputeIdsOfOrder = {
  name: 'find-dispute-ids-of-order',
  text: `
  select id
  from disputes
  where order_id = $1
    and marketplace_id = $2
  order by created_at desc
  limit $3`,
};
