import { updateOne } from '@holdfast/postgres';
import { claimDue } from '@holdfast/work';
import { contracts } from './schema.js';

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

/** Only the columns that can change; the terms of a contract never do. */
export const updateContract = updateOne({
  ...contracts,
  name: 'update-contract',
  key: ['escrowId'],
  set: [
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
  ],
});

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
