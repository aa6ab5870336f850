/** A lease that is held for an intent ends with the intent. */
const isOver = `leases.until < now()
        or exists (
          select
          from intents
          where intents.id = leases.holder
            and intents.closed_at is not null
        )`;

/**
 * Acquires the lease $1 for the intent $4 if it is over, else marks it as having a waiter. The process that held it last, whose tokens begin with
 * $5, leaves it to a waiter. Returns the token of the current holder, and what `isUsedByOthers` says of `leases.name` and the intent $4.
 */
export const acquireLeaseSql = (isUsedByOthers: string) => ({
  name: 'acquire-lease',
  text: `
  insert into leases (name, token, until, holder)
  values ($1, $2, now() + make_interval(secs => $3), $4)
  on conflict (name) do update
  set (token, until, holder, has_waiter) = (
    select case when lease.is_free then excluded.token else leases.token end,
      case when lease.is_free then excluded.until else leases.until end,
      case when lease.is_free then excluded.holder else leases.holder end,
      not lease.is_free
    from (
      select (${isOver})
        and (leases.has_waiter and starts_with(leases.token, $5)) is not true as is_free
    ) as lease
  )
  returning token,
    $4::text is not null and ${isUsedByOthers} as "isUsedByOthers"`,
});

/** Leases are given as `[{ name, token }]`. */
export const renewLeases = {
  name: 'renew-leases',
  text: `
  update leases
  set until = now() + make_interval(secs => $2)
  from jsonb_to_recordset($1) as held (name text, token text)
  where leases.name = held.name
    and leases.token = held.token
    and leases.until >= now()`,
};

export const releaseLeaseSql = {
  name: 'release-lease',
  text: `
  update leases
  set until = '-infinity'
  where name = $1
    and token = $2`,
};
