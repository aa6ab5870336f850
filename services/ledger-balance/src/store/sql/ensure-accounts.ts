/**
 * Creates missing accounts in a fixed order, so that two transactions cannot deadlock. A user's account is created only if the
 * user is known.
 */
export const ensureAccounts = {
  name: 'ensure-accounts',
  text: `
  insert into accounts (kind, owner, currency, updated_at)
  select wanted.kind, wanted.owner, wanted.currency, $4
  from unnest($1::text[], $2::text[], $3::text[]) as wanted (kind, owner, currency)
  where wanted.kind <> 'user'
    or exists (select from users where users.id = wanted.owner)
  order by wanted.owner, wanted.currency, wanted.kind
  on conflict do nothing`,
};
