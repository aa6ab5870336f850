import type { Instant } from '@holdfast/kernel/context';
import { accounts, type AccountRow } from '../schema.js';

/** Returns a row even if the user has no account in the currency. */
export const findBalance = {
  name: 'find-balance',
  text: `
  select users.received_at as "receivedAt",
    ${accounts.selected}
  from users
  left join accounts on accounts.owner = users.id
    and accounts.currency = $3
    and accounts.kind = 'user'
  where users.id = $2
    and users.marketplace_id = $1`,
};

type Balances = Pick<AccountRow, 'availableUnits' | 'reservedUnits' | 'updatedAt'>;

export type BalanceRow = { readonly [Property in keyof Balances]: Balances[Property] | null } & {
  readonly receivedAt: Instant;
};
