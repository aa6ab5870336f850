import { selectList, updateMany } from '@holdfast/shared/postgres';
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

export const takeUnchecked = {
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
