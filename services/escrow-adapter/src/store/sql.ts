import { forRows } from '@holdfast/shared/postgres';

export const contractColumns = `
    escrow_id as "escrowId",
    order_id as "orderId",
    marketplace_id as "marketplaceId",
    contract_type as type,
    amount_units as "amountUnits",
    currency,
    buyer_id as "buyerId",
    seller_id as "sellerId",
    title,
    description,
    platform_fee_basis_points as "platformFeeBasisPoints",
    milestones,
    status,
    buyer_address as "buyerAddress",
    seller_address as "sellerAddress",
    platform_address as "platformAddress",
    contract_id as "contractId",
    is_dispute_known as "isDisputeKnown",
    milestones_known as "milestonesKnown",
    version,
    created_at as "createdAt"`;

export const findContract = {
  name: 'find-contract',
  text: `
  select ${contractColumns}
  from contracts
  where escrow_id = $1`,
};

export const lockContract = {
  name: 'lock-contract',
  text: `
  select ${contractColumns}
  from contracts
  where escrow_id = $1
  for update`,
};

/** How a parameter of each column of a contract that changes is read. */
const changing = {
  status: 'text',
  buyer_address: 'text',
  seller_address: 'text',
  platform_address: 'text',
  contract_id: 'text',
  is_dispute_known: 'boolean',
  milestones_known: 'integer[]',
} as const;

const changingColumns = Object.keys(changing);

/** Where anybody else has changed one of them since it was read, the transaction is undone and repeated. */
export const changeContracts = forRows((rows, count) => ({
  name: `change-contracts-${count}`,
  text: `
  with changed as (
    update contracts
    set ${changingColumns.map((column) => `${column} = given.${column}`).join(',\n      ')},
      version = contracts.version + 1
    from (values ${rows(['text', ...Object.values(changing), 'integer'])})
      as given (escrow_id, ${changingColumns.join(', ')}, version)
    where contracts.escrow_id = given.escrow_id
      and contracts.version = given.version
    returning contracts.escrow_id
  )
  select demand(count(*) = ${count}, '40001', 'a contract was changed meanwhile')
  from changed`,
}));

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
  returning ${contractColumns}`,
};
