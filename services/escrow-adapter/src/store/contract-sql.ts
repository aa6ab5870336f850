import { insertMany, selectList, updateMany } from '@holdfast/postgres';
import { contractColumns } from './schema.js';

export const findContract = {
  name: 'find-contract',
  text: `
  select ${selectList(contractColumns, 'contracts')}
  from contracts
  where escrow_id = $1`,
};

export const findOfOrder = {
  name: 'find-contract-of-order',
  text: `
  select escrow_id as "escrowId"
  from contracts
  where order_id = $1
    and status <> 'FAILED'
  order by created_at desc
  limit 1`,
};

export const findByContractId = `
  select escrow_id as "escrowId"
  from contracts
  where contract_id = $1`;

/** The request of an order that has no contract yet, with the wallets of its parties. */
export const findRequested = {
  name: 'find-requested-contract',
  text: `
  select ${selectList(contractColumns, 'contracts')},
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

export const adoptContract = `
  update contracts
  set contract_id = $2,
    buyer_address = $3,
    seller_address = $4,
    platform_address = $5
  where escrow_id = $1
    and status = 'REQUESTED'
    and contract_id is null
  returning escrow_id`;

export const lockContract = {
  name: 'lock-contract',
  text: `
  select ${selectList(contractColumns, 'contracts')}
  from contracts
  where escrow_id = $1
  for update`,
};

const contracts = { table: 'contracts', columns: contractColumns } as const;

export const insertContracts = insertMany({ ...contracts, name: 'insert-contracts' });

/** Only the columns that can change; the terms of a contract never do. */
export const updateContracts = updateMany({
  ...contracts,
  name: 'update-contracts',
  key: ['escrowId'],
  set: [
    'status',
    'buyerAddress',
    'sellerAddress',
    'platformAddress',
    'contractId',
    'isDisputeKnown',
    'milestonesKnown',
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

export const claimUnchecked = {
  name: 'claim-unchecked-contracts',
  text: `
  update contracts
  set checked_at = now()
  where escrow_id in (
    select escrow_id
    from contracts
    where status = 'FUNDED'
      and checked_at < $1
    order by checked_at
    limit $2
    for update skip locked
  )
  returning ${selectList(contractColumns, 'contracts')}`,
};

export const findDeployed = {
  name: 'find-deployed-contracts',
  text: `
  select order_id as "orderId",
    contract_id as "contractId",
    contract_type as "type",
    currency,
    status
  from contracts
  where order_id = any($1)
    and contract_id is not null`,
};
