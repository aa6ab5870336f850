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

/** With the commit: where anybody else has changed it since it was read, the transaction is undone and repeated. */
export const changeContract = {
  name: 'change-contract',
  text: `
  with changed as (
    update contracts
    set status = $2,
      buyer_address = $3,
      seller_address = $4,
      platform_address = $5,
      contract_id = $6,
      is_dispute_known = $7,
      milestones_known = $8,
      version = version + 1
    where escrow_id = $1
      and version = $9
    returning escrow_id
  )
  select demand(count(*) = 1, '40001', 'contract ' || $1 || ' was changed meanwhile')
  from changed`,
};

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
