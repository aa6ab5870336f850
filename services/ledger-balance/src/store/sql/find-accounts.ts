import type { AccountRow } from '../schema.js';

export const findAccounts = {
  name: 'find-accounts',
  text: `
  select accounts.id, accounts.kind, accounts.owner, accounts.currency, users.marketplace_id as "marketplaceId"
  from unnest($1::text[], $2::text[], $3::text[]) as wanted (kind, owner, currency)
  join accounts on accounts.owner = wanted.owner
    and accounts.currency = wanted.currency
    and accounts.kind = wanted.kind
  left join users on accounts.kind = 'user'
    and users.id = accounts.owner`,
};

export type FoundAccountRow = Pick<AccountRow, 'id' | 'kind' | 'owner' | 'currency'> & { readonly marketplaceId: string | null };
