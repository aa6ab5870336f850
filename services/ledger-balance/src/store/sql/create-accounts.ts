import { wantedNames } from './find-accounts.js';

/**
 * Creates missing accounts in a fixed order, so that two transactions cannot deadlock, and returns them. A user's account is created
 * only if the user is known.
 */
export const createAccounts = {
  name: 'create-accounts',
  text: `
  with created as (
    insert into accounts (${wantedNames.columns}, updated_at)
    select ${wantedNames.values}, $${wantedNames.lastParameter + 1}
    from ${wantedNames.from}
    where wanted.kind <> 'user'
      or exists (select from users where users.id = wanted.owner)
    order by wanted.owner, wanted.currency, wanted.kind
    on conflict do nothing
    returning id, kind, owner, currency
  )
  select created.id, created.kind, created.owner, created.currency, users.marketplace_id as "marketplaceId"
  from created
  left join users on created.kind = 'user'
    and users.id = created.owner`,
};
