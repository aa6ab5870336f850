import { closingWith, type ClosingStatement } from '@holdfast/intents';
import { singleRow, updateOne } from '@holdfast/postgres';
import { claimDue } from '@holdfast/work';
import { contracts, type ContractRow } from './schema.js';

export const findContract = {
  name: 'find-contract',
  text: `
  select ${contracts.selected}
  from contracts
  where escrow_id = $1`,
};

/** The request of an order that has no contract yet, with the wallets of its parties. */
export const findRequested = {
  name: 'find-requested-contract',
  text: `
  select ${contracts.selected},
    buyer.address as "buyer",
    seller.address as "seller"
  from contracts
  join wallets as buyer
    on buyer.user_id = contracts.buyer_id
  join wallets as seller
    on seller.user_id = contracts.seller_id
  where order_id = $1
    and status = 'REQUESTED'
    and contract_id is null`,
};

/** Locks an intent whose lease is held, then its contract. The rows are locked in the order in which they are named. */
export const lockWithIntent = {
  name: 'lock-contract-with-intent',
  text: `
  select ${contracts.selected}
  from intents
  join contracts
    on contracts.escrow_id = intents.subject
  where intents.id = $1
    and intents.lease_token = $2
    and intents.closed_at is null
  for update of intents, contracts`,
};

/** The columns that can change; the terms of a contract never do. */
const changeable = [
  'status',
  'buyerAddress',
  'sellerAddress',
  'platformAddress',
  'contractId',
  'isDisputeKnown',
  'disputesKnown',
  'milestonesKnown',
  'milestonesSettled',
  'version',
  'lastLedger',
] as const satisfies readonly (keyof ContractRow)[];

export const updateContract = updateOne({ ...contracts, name: 'update-contract', key: ['escrowId'], set: changeable });

const changed = singleRow(contracts.columns, changeable, { name: 'changed_row' });
/** What shows whether another transaction has changed the contract: only an adoption changes no version, but the contract id. */
const known = singleRow(contracts.columns, ['escrowId', 'version', 'contractId'], {
  name: 'known',
  parametersBefore: changed.lastParameter,
});

const closing = closingWith({
  name: 'change-contract',
  text: `
    update contracts
    set (${changed.columns}) = row(${changed.values})
    from closed
    cross join ${changed.from}
    cross join ${known.from}
    where contracts.escrow_id = known.escrow_id
      and contracts.version = known.version
      and contracts.contract_id is not distinct from known.contract_id
    returning contracts.escrow_id`,
  parameters: known.lastParameter,
});

/** Closes an intent and writes the row of its contract, if the contract is as it was before. */
export function closeWithContract(before: ContractRow, after: ContractRow): ClosingStatement {
  return { statement: closing, values: [...changed.valuesOf(after), ...known.valuesOf(before)] };
}

export const nextVersion = {
  name: 'next-contract-version',
  text: `
  update contracts
  set version = version + 1
  where escrow_id = $1
  returning version`,
};

export const saveExternalPayout = `
  update contracts
  set external_payout = $2
  where escrow_id = $1`;

export const findExternalPayout = {
  name: 'find-external-payout',
  text: `
  select external_payout as "externalPayout"
  from contracts
  where escrow_id = $1`,
};

export const saveMilestonePayout = `
  update contracts
  set milestone_payouts = milestone_payouts || jsonb_build_object($2::text, $3::jsonb)
  where escrow_id = $1`;

export const findMilestonePayout = {
  name: 'find-milestone-payout',
  text: `
  select milestone_payouts -> $2::text as published
  from contracts
  where escrow_id = $1`,
};

export const claimUnchecked = claimDue({
  name: 'claim-unchecked-contracts',
  table: 'contracts',
  key: 'escrow_id',
  where: "status = 'FUNDED' and checked_at < $1",
  orderBy: 'checked_at',
  limit: '$2',
  set: 'checked_at = now()',
  returning: contracts.selected,
});
