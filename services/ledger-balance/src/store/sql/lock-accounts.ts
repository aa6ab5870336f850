/** Locks in id order, always: whoever needs several accounts waits for others in the same order as everybody else. */
export const lockAccounts = {
  name: 'lock-accounts',
  text: `
  select id, kind, owner, currency, available_units, reserved_units, version
  from accounts
  where id = any($1::bigint[])
  order by id
  for update`,
};

/** The same, and the escrow accounts of orders. */
export const lockAccountsAndEscrows = {
  name: 'lock-accounts-and-escrows',
  text: `
  select id, kind, owner, currency, available_units, reserved_units, version
  from accounts
  where id = any(array(
    select unnest($1::bigint[])
    union all
    select id
    from accounts
    where owner = any($2::text[])
      and kind = 'escrow'
  ))
  order by id
  for update`,
};

export type LockedAccountRow = {
  readonly id: bigint;
  readonly kind: 'user' | 'escrow';
  readonly owner: string;
  readonly currency: string;
  readonly available_units: bigint;
  readonly reserved_units: bigint;
  readonly version: number;
};
