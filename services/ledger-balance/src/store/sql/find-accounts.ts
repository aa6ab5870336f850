import { unnestRows } from '@holdfast/postgres';
import { accounts, type AccountRow } from '../schema.js';

export const accountName = ['kind', 'owner', 'currency'] as const;

/** The names of accounts, as the table `wanted`. */
export const wantedNames = unnestRows(accounts.columns, accountName, { name: 'wanted' });

export const findAccounts = {
  name: 'find-accounts',
  text: `
  select accounts.id, accounts.kind, accounts.owner, accounts.currency, users.marketplace_id as "marketplaceId"
  from ${wantedNames.from}
  join accounts on accounts.owner = wanted.owner
    and accounts.currency = wanted.currency
    and accounts.kind = wanted.kind
  left join users on accounts.kind = 'user'
    and users.id = accounts.owner`,
};

export type FoundAccountRow = Pick<AccountRow, 'id' | 'kind' | 'owner' | 'currency'> & { readonly marketplaceId: string | null };
