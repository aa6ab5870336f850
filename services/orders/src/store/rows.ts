import type { UserStatus } from '@holdfast/shared/contracts/messages';
import { formatMoney, money, parseMoney, type Currency } from '@holdfast/shared/money';
import type { Party } from '../domain/escrow.js';
import type { Dispute, Escrow, Milestone, Operation, Order, Resolution } from '../domain/order.js';

/** An order as its row has it, with the columns of its newest dispute where they were asked for too. */
export type OrderRow = Omit<Order, 'amount' | 'feeBasisPoints' | 'milestones' | 'escrow' | 'dispute' | 'operation'> & {
  readonly amountUnits: bigint;
  readonly currency: Currency;
  readonly feeBasisPoints: number;
  readonly milestones: readonly MilestoneJson[];
  readonly escrowId: Escrow['id'] | null;
  readonly escrowStatus: Escrow['status'];
  readonly contractType: Escrow['contractType'];
  readonly providerContractId: string | null;
  readonly fundedAt: string | null;
  readonly releasedAt: string | null;
  readonly refundedAt: string | null;
  readonly escrowVersion: number;
  readonly disputeId: Dispute['id'] | null;
  readonly operation: OperationJson | null;
};

/** As it is locked: with the transaction that wrote it, and what is known of the parties. */
export type HeldRow = OrderRow & {
  readonly writtenBy: string;
  readonly buyerStatus: UserStatus | null;
  readonly sellerStatus: UserStatus | null;
};

export type DisputeRow = Omit<Dispute, 'resolution'> & {
  readonly decision: Resolution['decision'] | null;
  readonly note: string | null;
  readonly releaseUnits: bigint | null;
  readonly refundUnits: bigint | null;
};

type MilestoneJson = Omit<Milestone, 'amount'> & { readonly amount: string };
type ResolutionJson = Pick<Resolution, 'decision' | 'note'> & { readonly release: string; readonly refund: string };
type OperationJson = Omit<Operation, 'resolution'> & { readonly resolution: ResolutionJson | null };

export function toOrder(row: OrderRow, dispute: Dispute | null): Order {
  const { amountUnits, currency, feeBasisPoints, milestones, operation } = row;
  return {
    id: row.id,
    marketplaceId: row.marketplaceId,
    clientOrderRef: row.clientOrderRef,
    buyerId: row.buyerId,
    sellerId: row.sellerId,
    amount: money(amountUnits, currency),
    status: row.status,
    title: row.title,
    description: row.description,
    metadata: row.metadata,
    feeBasisPoints: BigInt(feeBasisPoints),
    milestones: milestones.map((each) => ({ ...each, amount: parseMoney(each.amount, currency) })),
    escrow: toEscrow(row),
    dispute,
    booked: row.booked,
    closeReason: row.closeReason,
    operation: operation === null ? null : { ...operation, resolution: toResolution(operation.resolution, currency) },
    version: row.version,
    lastEventId: row.lastEventId,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}

/** Whoever made the order was known by then, so nobody is missing here; somebody who were would not count as active. */
export function toParties({ buyerId, buyerStatus, sellerId, sellerStatus }: HeldRow): readonly Party[] {
  return [
    { id: buyerId, isActive: buyerStatus === 'ACTIVE' },
    { id: sellerId, isActive: sellerStatus === 'ACTIVE' },
  ];
}

function toEscrow(row: OrderRow): Escrow | null {
  if (row.escrowId === null) return null;
  const { escrowId, escrowStatus, contractType, providerContractId, fundedAt, releasedAt, refundedAt, escrowVersion } = row;
  return {
    id: escrowId,
    status: escrowStatus,
    contractType,
    providerContractId,
    fundedAt,
    releasedAt,
    refundedAt,
    version: escrowVersion,
  };
}

function toResolution(given: ResolutionJson | null, currency: Currency): Resolution | null {
  if (given === null) return null;
  const { decision, note, release, refund } = given;
  return { decision, note, release: parseMoney(release, currency), refund: parseMoney(refund, currency) };
}

export function toDispute(row: DisputeRow, currency: Currency): Dispute {
  const { decision, note, releaseUnits, refundUnits, ...rest } = row;
  const isDecided = decision !== null && releaseUnits !== null && refundUnits !== null;
  const resolution = isDecided
    ? { decision, note, release: money(releaseUnits, currency), refund: money(refundUnits, currency) }
    : null;
  return { ...rest, resolution };
}

export function milestonesJson(milestones: readonly Milestone[]): string {
  return JSON.stringify(milestones.map((each) => ({ ...each, amount: formatMoney(each.amount) })));
}

export function operationJson(operation: Operation | null): string | null {
  if (operation === null) return null;
  const { resolution } = operation;
  const parts = resolution === null ? null : { release: formatMoney(resolution.release), refund: formatMoney(resolution.refund) };
  return JSON.stringify({ ...operation, resolution: parts === null ? null : { ...resolution, ...parts } });
}

/** A row of the list of disputes is an order and its dispute side by side. */
export type JoinedRow = OrderRow & { readonly [Column in keyof DisputeRow as `dispute_${Column}`]: DisputeRow[Column] | null };

export function toJoinedOrder(row: JoinedRow): Order {
  return toOrder(row, row.disputeId === null ? null : toDispute(disputeColumnsOf(row), row.currency));
}

function disputeColumnsOf(row: JoinedRow): DisputeRow {
  return {
    id: row.dispute_id,
    openedBy: row.dispute_openedBy,
    reason: row.dispute_reason,
    evidence: row.dispute_evidence,
    status: row.dispute_status,
    assignedTo: row.dispute_assignedTo,
    decision: row.dispute_decision,
    note: row.dispute_note,
    releaseUnits: row.dispute_releaseUnits,
    refundUnits: row.dispute_refundUnits,
    resolvedBy: row.dispute_resolvedBy,
    version: row.dispute_version,
    createdAt: row.dispute_createdAt,
    resolvedAt: row.dispute_resolvedAt,
  } as DisputeRow;
}
