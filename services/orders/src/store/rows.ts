import { formatMoney, money, parseMoney, type Currency } from '@holdfast/kernel/money';
import {
  newMilestone,
  type ActiveRun,
  type Dispute,
  type Escrow,
  type Milestone,
  type Order,
  type Resolution,
} from '../domain/order.js';
import type { Project } from '../domain/project.js';
import { disputes, type ActiveRunJson, type DisputeRow, type MilestoneJson, type OrderRow, type ProjectRow } from './schema.js';

export function toOrder(row: OrderRow, dispute: Dispute | null, milestoneDisputes: readonly Dispute[] = []): Order {
  const { amountUnits, currency, feeBasisPoints, milestones, activeRun } = row;
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
    releaseMode: row.releaseMode,
    reviewPeriod: row.reviewPeriod,
    deliverBy: row.deliverBy,
    onNotDelivered: row.onNotDelivered,
    deliveryCheckedAt: row.deliveryCheckedAt,
    milestones: milestones.map((each) => toMilestone(each, currency)),
    escrow: toEscrow(row),
    dispute,
    milestoneDisputes,
    focus: null,
    ledgerPayout: row.ledgerPayout,
    closeReason: row.closeReason,
    activeRun: activeRun === null ? null : toActiveRun(activeRun, currency),
    version: row.version,
    lastEventId: row.lastEventId,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}

function toEscrow({ escrowId: id, escrowStatus: status, escrowVersion: version, contractType, ...row }: OrderRow): Escrow | null {
  if (id === null || status === null || version === null || contractType === null) return null;
  const { providerContractId, isDisputedByAttempt, fundedAt, releasedAt, refundedAt } = row;
  return { id, status, contractType, providerContractId, isDisputedByAttempt, fundedAt, releasedAt, refundedAt, version };
}

function toActiveRun({ resolution, cause = null, fee = null, ...run }: ActiveRunJson, currency: Currency): ActiveRun {
  const same = { ...run, cause, fee: fee === null ? null : parseMoney(fee, currency) };
  if (resolution === null) return { ...same, resolution };
  const { decision, note, release, refund } = resolution;
  const parts = { release: parseMoney(release, currency), refund: parseMoney(refund, currency) };
  return { ...same, resolution: { decision, note, ...parts } };
}

function toMilestone(json: MilestoneJson, currency: Currency): Milestone {
  const { amount, released = '0.00', refunded = '0.00', fee = '0.00', activeRun = null, ...same } = json;
  const amounts = { amount: parseMoney(amount, currency), released: parseMoney(released, currency) };
  return {
    ...newMilestone({ ...same, ...amounts }),
    ...same,
    ...amounts,
    refunded: parseMoney(refunded, currency),
    fee: parseMoney(fee, currency),
    activeRun: activeRun === null ? null : toActiveRun(activeRun, currency),
  };
}

export function toOrderRow(order: Order): OrderRow {
  const {
    amount,
    feeBasisPoints,
    milestones,
    escrow,
    dispute,
    activeRun,
    milestoneDisputes: _disputes,
    focus: _focus,
    ...same
  } = order;
  return {
    ...same,
    amountUnits: amount.units,
    currency: amount.currency,
    feeBasisPoints: Number(feeBasisPoints),
    milestones: milestones.map(toMilestoneJson),
    ...toEscrowColumns(escrow),
    disputeId: dispute?.id ?? null,
    activeRun: activeRun === null ? null : toActiveRunJson(activeRun),
  };
}

type EscrowColumns = Pick<
  OrderRow,
  'escrowId' | 'escrowStatus' | 'escrowVersion' | keyof Omit<Escrow, 'id' | 'status' | 'version'>
>;

const noEscrow: EscrowColumns = {
  escrowId: null,
  escrowStatus: null,
  escrowVersion: null,
  contractType: null,
  providerContractId: null,
  isDisputedByAttempt: false,
  fundedAt: null,
  releasedAt: null,
  refundedAt: null,
};

function toEscrowColumns(escrow: Escrow | null): EscrowColumns {
  if (escrow === null) return noEscrow;
  const { id: escrowId, status: escrowStatus, version: escrowVersion, ...same } = escrow;
  return { ...same, escrowId, escrowStatus, escrowVersion };
}

function toMilestoneJson({ amount, released, refunded, fee, activeRun, ...same }: Milestone): MilestoneJson {
  return {
    ...same,
    amount: formatMoney(amount),
    released: formatMoney(released),
    refunded: formatMoney(refunded),
    fee: formatMoney(fee),
    activeRun: activeRun === null ? null : toActiveRunJson(activeRun),
  };
}

function toActiveRunJson({ resolution, fee, ...run }: ActiveRun): ActiveRunJson {
  const same = { ...run, fee: fee === null ? null : formatMoney(fee) };
  if (resolution === null) return { ...same, resolution };
  const { decision, note, release, refund } = resolution;
  return { ...same, resolution: { decision, note, release: formatMoney(release), refund: formatMoney(refund) } };
}

export function toDispute(row: DisputeRow, currency: Currency): Dispute {
  const { marketplaceId: _marketplaceId, orderId: _orderId, resolutionDecision, decisionNote, ...columns } = row;
  const { releaseUnits, refundUnits, ...same } = columns;
  return { ...same, resolution: toResolution({ resolutionDecision, decisionNote, releaseUnits, refundUnits }, currency) };
}

type ResolutionColumns = Pick<DisputeRow, 'resolutionDecision' | 'decisionNote' | 'releaseUnits' | 'refundUnits'>;

function toResolution(row: ResolutionColumns, currency: Currency): Resolution | null {
  const { resolutionDecision: decision, decisionNote: note, releaseUnits, refundUnits } = row;
  if (decision === null || releaseUnits === null || refundUnits === null) return null;
  return { decision, note, release: money(releaseUnits, currency), refund: money(refundUnits, currency) };
}

export function toDisputeRow({ id: orderId, marketplaceId }: Order, { resolution, ...dispute }: Dispute): DisputeRow {
  return {
    ...dispute,
    marketplaceId,
    orderId,
    resolutionDecision: resolution?.decision ?? null,
    decisionNote: resolution?.note ?? null,
    releaseUnits: resolution?.release.units ?? null,
    refundUnits: resolution?.refund.units ?? null,
  };
}

/** Prefix of the dispute's columns in a row that also has the columns of the order. */
export const disputePrefix = 'dispute_';

/** The columns of an order and of its dispute in one row, or of a dispute about one of its milestones. */
export type JoinedRow = OrderRow & Readonly<Record<`${typeof disputePrefix}${string}`, unknown>>;

export function toJoinedOrder(row: JoinedRow): Order {
  return toOrder(row, row[`${disputePrefix}id`] === null ? null : toDispute(disputeRowIn(row), row.currency));
}

function disputeRowIn(row: JoinedRow): DisputeRow {
  const properties = Object.keys(disputes.columns).map((property) => [property, row[`${disputePrefix}${property}`]]);
  return Object.fromEntries(properties) as DisputeRow;
}

export function toProject({ budgetUnits, currency, ...same }: ProjectRow): Project {
  return { ...same, budget: money(budgetUnits, currency) };
}

export function toProjectRow({ budget, ...same }: Project): ProjectRow {
  return { ...same, budgetUnits: budget.units, currency: budget.currency };
}
