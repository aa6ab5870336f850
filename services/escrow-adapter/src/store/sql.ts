import { selectList, updateMany } from '@holdfast/postgres';
import { contractColumns } from './schema.js';

export const findContract = {
  name: 'find-contract',
  text: `
  select ${selectList(contractColumns, 'contracts')}
  from contracts
  where escrow_id = $1`,
};

export const lockContract = {
  name: 'lock-contract',
  text: `
  select ${selectList(contractColumns, 'contracts')}
  from contracts
  where escrow_id = $1
  for update`,
};

/**
 * Intents whose leases are held, given as `[{ id, leaseToken }]`, with the contracts that they act on. Until the transaction ends nobody else
 * takes them over or changes the contracts. Intents come before contracts, in the order of their ids; those of lost leases are missing from the result.
 */
export const lockIntents = {
  name: 'lock-intents-and-contracts',
  text: `
  select intents.id as "intentId",
    ${selectList(contractColumns, 'contracts')}
  from intents
  join jsonb_to_recordset($1) as lease (id text, "leaseToken" integer)
    on lease.id = intents.id
      and lease."leaseToken" = intents.lease_token
  join contracts
    on contracts.escrow_id = intents.subject
  where intents.closed_at is null
  order by intents.id
  for update of intents, contracts`,
};

const contracts = { table: 'contracts', columns: contractColumns } as const;

/** All that changes of a contract; its terms never do. */
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

export const claimUnchecked = {
  name: 'take-unchecked-contracts',
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
