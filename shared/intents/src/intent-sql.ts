import { arrayOfAnyLength, selectList, type Statement } from '@holdfast/postgres';
import { claimDue, nextDue } from '@holdfast/work';
import { intentColumns } from './intent-columns.js';

/** Claims due intents without a lease, by priority. */
export const claimDueIntents = claimDue({
  name: 'claim-due-intents',
  table: 'intents',
  where: 'closed_at is null and due_at <= now() and (lease_until is null or lease_until < now())',
  orderBy: 'priority, due_at',
  limit: '$3',
  set: 'lease_owner = $1, lease_token = lease_token + 1, lease_until = now() + make_interval(secs => $2)',
  returning: selectList(intentColumns, 'intents'),
});

/** The end of a lease is a due time, too: its process may be dead. Open intents are few, so that no index orders them by it. */
export const firstDue = nextDue({
  name: 'next-due-intent',
  table: 'intents',
  where: 'closed_at is null',
  dueAt: 'greatest(due_at, lease_until)',
});

/** Claims these intents, due or not, unless another process holds their lease. */
export const claimByIds = {
  name: 'claim-intents-by-id',
  text: `
  update intents
  set lease_owner = $1,
    lease_token = lease_token + 1,
    lease_until = now() + make_interval(secs => $2)
  where id in (
    select id
    from intents
    where id = any(${arrayOfAnyLength('$3::text[]')})
      and closed_at is null
      and (lease_until is null or lease_until < now() or lease_owner = $1)
    order by id
    for update skip locked
  )
  returning ${selectList(intentColumns, 'intents')}`,
};

/** Leases are given as `[{ id, leaseToken }]`. Like every statement about several intents it locks them in the order of their ids. */
const currentLeases = `
    select intents.id
    from intents
    join jsonb_to_recordset($1) as lease (id text, "leaseToken" integer)
      on lease.id = intents.id
        and lease."leaseToken" = intents.lease_token
    where intents.closed_at is null
    order by intents.id
    for update of intents`;

export const renewLeases = {
  name: 'renew-intent-leases',
  text: `
  update intents
  set lease_until = now() + make_interval(secs => $3)
  where lease_owner = $2
    and id in (${currentLeases}
    )
  returning id`,
};

export const postponeIntent = {
  name: 'postpone-intent',
  text: `
  update intents
  set due_at = now() + make_interval(secs => $3),
    worker_state = worker_state || $4,
    attempts = attempts + $5,
    lease_owner = null,
    lease_until = null
  where id = $1
    and lease_token = $2
    and closed_at is null
  returning id`,
};

/** A stopping process releases its leases, so that other processes need not wait until they expire. */
export const releaseLeases = `
  update intents
  set lease_owner = null,
    lease_until = null
  where lease_owner = $1
    and closed_at is null`;

export const lockIntent = {
  name: 'lock-intent',
  text: `
  select id
  from intents
  where id = $1
    and lease_token = $2
    and closed_at is null
  for update`,
};

const closed = (parametersBefore: number): string => {
  const [id, token, at, replies] = [1, 2, 3, 4].map((position) => `$${(parametersBefore + position).toString()}`);
  return `
    update intents
    set closed_at = ${at},
      replies = ${replies},
      lease_owner = null,
      lease_until = null
    where id = ${id}
      and lease_token = ${token}
      and closed_at is null
    returning id`;
};

export const closeIntent = {
  name: 'close-intent',
  text: `
  with closed as (${closed(0)}
  )
  select true as "isHeld",
    true as "isChanged"
  from closed`,
};

/** A change of what an intent acts on, written by the statement that closes the intent. */
export type SubjectChange = {
  /** Distinguishes the prepared statements of a service. */
  readonly name: string;
  /** A plain update of one table that joins `closed`, which has a row if the lease is held. It returns a row if it has changed one. */
  readonly text: string;
  /** The number of its parameters, which are the first ones. */
  readonly parameters: number;
};

export function closingWith({ name, text, parameters }: SubjectChange): Statement {
  return {
    name: `close-intent-and-${name}`,
    text: `
  with closed as (${closed(parameters)}
  ),
  changed as (${text}
  )
  select exists (select from closed) as "isHeld",
    exists (select from changed) as "isChanged"`,
  };
}

export const saveWorkerState = {
  name: 'save-intent-worker-state',
  text: `
  update intents
  set worker_state = worker_state || $3
  where id = $1
    and lease_token = $2
    and closed_at is null
  returning id`,
};

const abortKind = 'aborted';

/** Whether a row of `intents` is an intent, and not the abort of a saga run. */
export const isIntent = `kind <> '${abortKind}'`;

/** The abort of a saga run is a closed intent. It is not stored if the run has an intent. */
export const insertAbort = {
  name: 'insert-abort-of-run',
  text: `
  insert into intents (
    id, kind, subject, priority, marketplace_id, correlation_id, saga, saga_run_id, requested_at, payload, closed_at, replies
  )
  values ($1, '${abortKind}', $2, 0, $3, $4, $5, $6, $7, $8, now(), '[]')
  on conflict do nothing
  returning id`,
};

export const saveAbortReplies = {
  name: 'save-abort-replies',
  text: `
  update intents
  set replies = $2
  where id = $1`,
};

/** What a message, or another one of its saga run, has had as an effect. */
export const findEarlier = {
  name: 'find-earlier-intent',
  text: `
  select id,
    kind = '${abortKind}' as "isAbort",
    replies
  from intents
  where id = $1
    or saga_run_id = $2
  limit 1`,
};

export const findClosed = {
  name: 'find-closed-intents',
  text: `
  select id
  from intents
  where id = any($1)
    and closed_at is not null`,
};

export const findOpenOf = {
  name: 'find-open-intent-of',
  text: `
  select id
  from intents
  where subject = $1
    and closed_at is null`,
};

export const findOpenParts = {
  name: 'find-open-parts-of',
  text: `
  select subject_part as "subjectPart"
  from intents
  where subject = $1
    and closed_at is null`,
};

/** The values reach the next run: one that has begun by then continues without them. The row lock orders this and the claim of a run. */
export const requestOfOpen = {
  name: 'request-of-open-intent',
  text: `
  update intents
  set worker_state = worker_state || $3,
    due_at = least(due_at, now())
  where subject = $1
    and marketplace_id = $2
    and closed_at is null
  returning id`,
};

export const countOpen = `
  select kind,
    count(*)::integer as count,
    count(*) filter (where worker_state ? 'isPastNoReturn')::integer as "pastNoReturn",
    coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as "oldestSeconds"
  from intents
  where closed_at is null
  group by kind`;
