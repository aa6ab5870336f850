/**
 * Acquires the lease if it is free or expired, else marks it as having a waiter. Returns the token of the current holder, and what
 * `isUsedByOthers` says of `leases.name` and the user $4.
 */
export const acquireLeaseSql = (isUsedByOthers: string) => ({
  name: 'acquire-lease',
  text: `
  insert into leases (name, token, until)
  values ($1, $2, now() + make_interval(secs => $3))
  on conflict (name) do update
  set token = case when leases.until < now() then excluded.token else leases.token end,
    until = case when leases.until < now() then excluded.until else leases.until end,
    has_waiter = leases.until >= now()
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
    and token = $2
  returning has_waiter as "hasWaiter"`,
};
