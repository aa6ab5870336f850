import type { LegRow, AccountRow } from '../schema.js';

/** The legs of transfers, with the names of their accounts. What a transfer takes comes before what it gives. */
export const findLegs = {
  name: 'find-legs',
  text: `
  select legs.transfer_id as "transferId",
    accounts.kind,
    accounts.owner,
    accounts.currency,
    legs.part,
    legs.units
  from legs
  join accounts on accounts.id = legs.account_id
  where legs.transfer_id = any($1::text[])
  order by legs.transfer_id, legs.units, accounts.kind, accounts.owner, legs.part`,
};

export type NamedLegRow = Pick<LegRow, 'transferId' | 'part' | 'units'> & Pick<AccountRow, 'kind' | 'owner' | 'currency'>;
