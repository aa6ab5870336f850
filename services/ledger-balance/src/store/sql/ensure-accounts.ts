import { wantedNames } from './find-accounts.js';

/**
 * Creates missing accounts in a fixed order, so that two transactions cannot deadlock. A user's account is created only if the
 * user is known.
 */
export const ensureAccounts = {
  name: 'ensure-accounts',
  text: `
  insert into accounts (${wantedNames.columns}, updated_at)
  select ${wantedNames.values}, $${wantedNames.lastParameter + 1}
  from ${wantedNames.from}
  where wanted.kind <> 'user'
    or exists (select from users where users.id = wanted.owner)
  order by wanted.owner, wanted.currency, wanted.kind
  on conflict do nothing`,
};
