import { forRows } from '@holdfast/shared/postgres';

const columns = `
    id,
    kind,
    subject,
    priority,
    marketplace_id as "marketplaceId",
    correlation_id as "correlationId",
    saga,
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

/** What Postgres says where something was to be written about an intent without its lease. */
export const leaseLostCode = 'HF001';

/**
 * Whatever is written about intents is written while their leases are held: nobody takes them over before the commit. Undoes the
 * transaction where one is lost; alone, an intent is named. Rows are locked in the order of their ids, as everybody does.
 * "Is null" is said in other words: in its own it leads the server to the indexes of open intents, which are full of those
 * closed lately.
 */
export const holdLeases = forRows((rows, count) => ({
  name: `hold-intent-leases-${count}`,
  text: `
  select demand(count(*) = ${count}, '${leaseLostCode}', $1)
  from (
    select
    from (values ${rows(['text', 'integer'])}) as given (id, lease_token)
    join intents
      on intents.id = given.id
        and intents.lease_token = given.lease_token
        and coalesce(intents.closed_at, 'infinity') = 'infinity'
    order by intents.id
    for update of intents
  ) as held`,
}));

export const closeIntents = forRows((rows, count) => ({
  name: `close-intents-${count}`,
  text: `
  update intents
  set closed_at = now(),
    outcome = given.outcome,
    lease_owner = null,
    lease_until = '-infinity'
  from (values ${rows(['text', 'jsonb'])}) as given (id, outcome)
  where intents.id = given.id`,
}));

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
