import { formatMoney, money, parseMoney, type Currency } from '@holdfast/kernel/money';
import type { Dispute, Escrow, Milestone, ActiveRun, Order, Resolution } from '../domain/order.js';
import type { Project } from '../domain/project.js';
import { disputes, type ActiveRunJson, type DisputeRow, type MilestoneJson, type OrderRow, type ProjectRow } from './schema.js';

export function toOrder(row: OrderRow, dispute: Dispute | null): Order {
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
    milestones: milestones.map((each) => ({ ...each, amount: parseMoney(each.amount, currency) })),
    escrow: toEscrow(row),
    dispute,
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

function toActiveRun({ resolution, ...run }: ActiveRunJson, currency: Currency): ActiveRun {
  if (resolution === null) return { ...run, resolution };
  const { decision, note, release, refund } = resolution;
  const parts = { release: parseMoney(release, currency), refund: parseMoney(refund, currency) };
  return { ...run, resolution: { decision, note, ...parts } };
}

export function toOrderRow(order: Order): OrderRow {
  const { amount, feeBasisPoints, milestones, escrow, dispute, activeRun, ...same } = order;
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

function toMilestoneJson(milestone: Milestone): MilestoneJson {
  return { ...milestone, amount: formatMoney(milestone.amount) };
}

function toActiveRunJson({ resolution, ...run }: ActiveRun): ActiveRunJson {
  if (resolution === null) return { ...run, resolution };
  const { decision, note, release, refund } = resolution;
  return { ...run, resolution: { decision, note, release: formatMoney(release), refund: formatMoney(refund) } };
}

export function toDispute(row: DisputeRow, currency: Currency): Dispute {
  const { id, openedBy, reason, evidence, status, assignedTo, resolvedBy, version, createdAt, resolvedAt } = row;
  const resolution = toResolution(row, currency);
  return { id, openedBy, reason, evidence, status, assignedTo, resolution, resolvedBy, version, createdAt, resolvedAt };
}

function toResolution(row: DisputeRow, currency: Currency): Resolution | null {
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

/** The columns of an order and of its dispute in one row. */
export type JoinedRow = OrderRow & Readonly<Record<`${typeof disputePrefix}${string}`, unknown>>;

export function toJoinedOrder(row: JoinedRow): Order {
  return toOrder(row, row.disputeId === null ? null : toDispute(disputeRowIn(row), row.currency));
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
