/** A rival with the same client reference waits here until this transaction has ended, and fails if it has committed. */
export const insertOrder = {
  name: 'insert-order',
  text: `
  insert into orders (
    id, marketplace_id, client_order_ref, buyer_id, seller_id, amount_units, currency, status, title, description, metadata,
    fee_basis_points, milestones, version, created_at, updated_at
  )
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)`,
};

export const updateOrder = {
  name: 'update-order',
  text: `
  update orders
  set status = $2,
    close_reason = $3,
    escrow_id = $4,
    escrow_status = $5,
    contract_type = $6,
    provider_contract_id = $7,
    funded_at = $8,
    released_at = $9,
    refunded_at = $10,
    escrow_version = $11,
    dispute_id = $12,
    booked = $13,
    operation = $14,
    version = $15,
    updated_at = $16
  where id = $1`,
};

export const updateMilestones = `
  update orders
  set milestones = $2
  where id = $1`;

export const insertDispute = `
  insert into disputes (
    id, marketplace_id, order_id, opened_by, reason, evidence, status, version, created_at
  )
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`;

export const updateDispute = `
  update disputes
  set status = $2,
    assigned_to = $3,
    resolution_decision = $4,
    decision_note = $5,
    release_units = $6,
    refund_units = $7,
    resolved_by = $8,
    version = $9,
    resolved_at = $10
  where id = $1`;

export const insertComment = `
  insert into dispute_comments (id, dispute_id, text, author, created_at)
  values ($1, $2, $3, $4, $5)`;
