/** Locks in id order, always: whoever needs several accounts waits for others in the same order as everybody else. */
export const lockAccounts = {
  name: 'lock-accounts',
  text: `
  select accounts.id, accounts.kind, accounts.owner, accounts.currency,
    accounts.available_units, accounts.reserved_units, accounts.version, users.status
  from accounts
  left join users on accounts.kind = 'user'
    and users.id = accounts.owner
  where accounts.id = any($1::bigint[])
  order by accounts.id
  for update of accounts`,
};

export type LockedAccountRow = {
  readonly id: bigint;
  readonly kind: 'user' | 'escrow';
  readonly owner: string;
  readonly currency: string;
  readonly available_units: bigint;
  readonly reserved_units: bigint;
  readonly version: number;
  readonly status: string | null;
};
