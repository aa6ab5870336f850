/** Names of columns as the rows of this service call them. */
export const orderColumns = `
    orders.id,
    orders.marketplace_id as "marketplaceId",
    orders.client_order_ref as "clientOrderRef",
    orders.buyer_id as "buyerId",
    orders.seller_id as "sellerId",
    orders.amount_units as "amountUnits",
    orders.currency,
    orders.status,
    orders.title,
    orders.description,
    orders.metadata,
    orders.fee_basis_points as "feeBasisPoints",
    orders.milestones,
    orders.close_reason as "closeReason",
    orders.escrow_id as "escrowId",
    orders.escrow_status as "escrowStatus",
    orders.contract_type as "contractType",
    orders.provider_contract_id as "providerContractId",
    orders.funded_at as "fundedAt",
    orders.released_at as "releasedAt",
    orders.refunded_at as "refundedAt",
    orders.escrow_version as "escrowVersion",
    orders.dispute_id as "disputeId",
    orders.booked,
    orders.operation,
    orders.version,
    orders.last_event_id as "lastEventId",
    orders.created_at as "createdAt",
    orders.updated_at as "updatedAt"`;

const disputeColumn = {
  id: 'id',
  openedBy: 'opened_by',
  reason: 'reason',
  evidence: 'evidence',
  status: 'status',
  assignedTo: 'assigned_to',
  decision: 'resolution_decision',
  note: 'decision_note',
  releaseUnits: 'release_units',
  refundUnits: 'refund_units',
  resolvedBy: 'resolved_by',
  version: 'version',
  createdAt: 'created_at',
  resolvedAt: 'resolved_at',
} as const;

function disputeColumnsAs(prefix: string): string {
  return Object.entries(disputeColumn)
    .map(([name, column]) => `disputes.${column} as "${prefix}${name}"`)
    .join(',\n    ');
}

export const disputeColumns = disputeColumnsAs('');
export const orderColumnsWithDispute = `${orderColumns},
    ${disputeColumnsAs('dispute_')}`;
