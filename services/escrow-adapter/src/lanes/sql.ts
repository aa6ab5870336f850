const columns = `
    id,
    kind,
    subject,
    priority,
    marketplace_id as "marketplaceId",
    correlation_id as "correlationId",
    saga_run_id as "sagaRunId",
    after_event_id as "afterEventId",
    ask,
    memo,
    attempts,
    created_at as "createdAt",
    lease_token as "leaseToken"`;

export const claimDue = {
  name: 'claim-due-intents',
  text: `
  update intents
  set lease_owner = $1,
    lease_token = lease_token + 1,
    lease_until = now() + make_interval(secs => $2)
  where id in (
    select id
    from intents
    where closed_at is null
      and due_at <= now()
      and lease_until < now()
    order by priority, due_at
    limit $3
    for update skip locked
  )
  returning ${columns}`,
};

/** For one that somebody has a reason to look at before it is due. */
export const claimOne = {
  name: 'claim-one-intent',
  text: `
  update intents
  set lease_owner = $1,
    lease_token = lease_token + 1,
    lease_until = now() + make_interval(secs => $2)
  where id = $3
    and closed_at is null
    and lease_until < now()
  returning ${columns}`,
};

export const renewLease = {
  name: 'renew-intent-lease',
  text: `
  update intents
  set lease_until = now() + make_interval(secs => $2)
  where id = $3
    and lease_token = $4
    and lease_owner = $1
    and closed_at is null
  returning id`,
};

export const postponeIntent = {
  name: 'postpone-intent',
  text: `
  update intents
  set due_at = now() + make_interval(secs => $3),
    memo = memo || $4,
    attempts = attempts + 1,
    lease_owner = null,
    lease_until = '-infinity'
  where id = $1
    and lease_token = $2
    and closed_at is null
  returning id`,
};

/** Whoever stops gives its intents back at once instead of letting the others wait for the end of its leases. */
export const releaseLeases = `
  update intents
  set lease_owner = null,
    lease_until = '-infinity'
  where lease_owner = $1
    and closed_at is null`;

export const noteMemo = {
  name: 'note-intent-memo',
  text: `
  update intents
  set memo = memo || $3
  where id = $1
    and lease_token = $2
    and closed_at is null
  returning id`,
};

/** What Postgres says where an intent was to be closed without its lease. */
export const leaseLostCode = 'HF001';

/** Undoes the transaction where the lease is lost, for nobody waits for its answer before the commit. */
export const closeIntent = {
  name: 'close-intent',
  text: `
  with closed as (
    update intents
    set closed_at = now(),
      outcome = $3,
      lease_owner = null,
      lease_until = '-infinity'
    where id = $1
      and lease_token = $2
      and closed_at is null
    returning id
  )
  select demand(count(*) = 1, '${leaseLostCode}', $1)
  from closed`,
};

export const findEnding = {
  name: 'find-intent-ending',
  text: `
  select outcome
  from intents
  where id = $1`,
};

export const findOpenOf = {
  name: 'find-open-intent-of',
  text: `
  select id
  from intents
  where subject = $1
    and closed_at is null`,
};

export const countOpen = `
  select kind,
    count(*)::integer as count,
    count(*) filter (where memo ? 'isPastNoReturn')::integer as "pastNoReturn",
    coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as "oldestSeconds"
  from intents
  where closed_at is null
  group by kind`;
