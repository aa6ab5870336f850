/**
 * Dates later transfers of the account after the given time. It waits for the posting that has locked the account, whose transfers may be
 * dated before. An account that is missing is created, because the first posting may be creating it at the same time.
 */
export const closeAccount = {
  name: 'close-account',
  text: `
  insert into accounts (kind, owner, currency, updated_at, not_before)
  select 'user', users.id, $3, users.received_at, $4::timestamptz + interval '1 microsecond'
  from users
  where users.id = $2
    and users.marketplace_id = $1
  on conflict (owner, currency, kind) do update
  set not_before = greatest(accounts.not_before, excluded.not_before)`,
};

/** How long a statement waits for a posting. With a longer one the statement says that it is not complete. */
export const limitLockWait = "set local lock_timeout = '500ms'";
