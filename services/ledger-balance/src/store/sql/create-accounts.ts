import { unnestRows } from '@holdfast/postgres';
import { accounts } from '../schema.js';
import { accountName } from './find-accounts.js';

const wanted = unnestRows(accounts.columns, accountName, { name: 'wanted', keepsPlan: true });

/**
 * Creates missing accounts in a fixed order, so that two transactions cannot deadlock, and returns them. A user's account is created
 * only if the user is known. Subqueries that select a value use the index of the users whatever their statistics are.
 */
export const createAccounts = {
  name: 'create-accounts',
  text: `
  with created as (
    insert into accounts (${wanted.columns}, updated_at)
    select ${wanted.values}, $${wanted.lastParameter + 1}
    from ${wanted.from}
    where wanted.kind <> 'user'
      or (select true from users where users.id = wanted.owner)
    order by wanted.owner, wanted.currency, wanted.kind
    on conflict do nothing
    returning id, kind, owner, currency
  )
  select id, kind, owner, currency,
    (select users.marketplace_id from users where created.kind = 'user' and users.id = created.owner) as "marketplaceId"
  from created`,
};
