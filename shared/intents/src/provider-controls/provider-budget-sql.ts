/**
 * Locks the budget until the end of the transaction, so that calls are decided one after the other, and returns its tokens. Uses the
 * clock of the database, which all processes share; it is read after the lock is held.
 */
export const lockBudget = {
  name: 'lock-provider-budget',
  text: `
  insert into provider_budgets as budget (name, empty_at)
  values ($1, clock_timestamp() - make_interval(secs => $2))
  on conflict (name) do update
  set empty_at = greatest(budget.empty_at, clock_timestamp() - make_interval(secs => $2))
  returning (extract(epoch from clock_timestamp() - empty_at) * $3 / $2)::float8 as tokens`,
};

/** Calls that are no longer requested, and commitments of orders that were abandoned. */
export const deleteStale = {
  name: 'delete-stale-provider-calls',
  text: `
  with expired as (
    delete from provider_commitments
    where budget = $1
      and expires_at < clock_timestamp()
  )
  delete from provider_calls_waiting
  where budget = $1
    and requested_at < clock_timestamp() - make_interval(secs => $2)`,
};

export const queueCall = {
  name: 'queue-provider-call',
  text: `
  insert into provider_calls_waiting (budget, key, priority, marketplace_id, calls, queued_at, requested_at)
  values ($1, $2, $3, $4, $5, clock_timestamp(), clock_timestamp())
  on conflict (budget, key) do update
  set priority = excluded.priority,
    calls = excluded.calls,
    requested_at = excluded.requested_at`,
};

/**
 * The tokens that calls ahead of this one wait for, and those that admitted orders still need. Calls of one priority are served in
 * turns: the first call of each marketplace, then the second one of each; within a turn the marketplace goes first that was served
 * longest ago.
 */
export const findPlace = {
  name: 'find-place-of-provider-call',
  text: `
  with turns as (
    select key, priority, calls, queued_at, served_at,
      row_number() over (partition by priority, marketplace_id order by queued_at, key) as turn
    from provider_calls_waiting
    left join provider_calls_served using (budget, marketplace_id)
    where budget = $1
  ), places as (
    select key, queued_at,
      sum(calls) over (
        order by priority, turn, served_at nulls first, queued_at, key
        rows unbounded preceding
      ) - calls as ahead
    from turns
  )
  select ahead::integer,
    extract(epoch from clock_timestamp() - queued_at)::float8 as "waitedSeconds",
    (select coalesce(sum(calls), 0)::integer from provider_commitments where budget = $1) as committed
  from places
  where key = $2`,
};

export const hasCommitment = {
  name: 'find-provider-commitment',
  text: `
  select order_id
  from provider_commitments
  where budget = $1
    and order_id = $2
    and calls > 0
    and expires_at >= clock_timestamp()`,
};

export const makeCall = {
  name: 'make-provider-call',
  text: `
  with waiting as (
    delete from provider_calls_waiting
    where budget = $1
      and key = $2
  ), served as (
    insert into provider_calls_served (budget, marketplace_id, served_at)
    values ($1, $3, clock_timestamp())
    on conflict (budget, marketplace_id) do update
    set served_at = excluded.served_at
  )
  update provider_budgets
  set empty_at = empty_at + make_interval(secs => $4)
  where name = $1`,
};

/** A call of an order uses up one of its committed calls, and shows that the order was not abandoned. */
export const useCommitment = {
  name: 'use-provider-commitment',
  text: `
  update provider_commitments
  set calls = greatest(calls - 1, 0),
    expires_at = clock_timestamp() + make_interval(secs => $3)
  where budget = $1
    and order_id = $2`,
};

export const addCommitment = {
  name: 'add-provider-commitment',
  text: `
  insert into provider_commitments (budget, order_id, calls, expires_at)
  values ($1, $2, $3, clock_timestamp() + make_interval(secs => $4))
  on conflict (budget, order_id) do update
  set calls = excluded.calls,
    expires_at = excluded.expires_at`,
};

/** The provider has refused a call because of its limit, so it counts more calls than the bucket does. */
export const emptyBudget = `
  insert into provider_budgets as budget (name, empty_at)
  values ($1, clock_timestamp())
  on conflict (name) do update
  set empty_at = greatest(budget.empty_at, clock_timestamp())`;
