import {
  milestoneOperations,
  orderOperations,
  type DisputeRecord,
  type EscrowRecord,
  type MilestoneRecord,
  type OpenedDisputeRecord,
  type OrderRecord,
  type OrderWithMilestoneRecord,
} from '@holdfast/contracts/http';
import type { Instant } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import { formatMoney } from '@holdfast/kernel/money';
import { amountsOf } from '../domain/amounts.js';
import { unfocused } from '../domain/focus.js';
import type { ActiveRun, Dispute, Escrow, Milestone, Order } from '../domain/order.js';
import { percentText } from '../domain/percent.js';

/** An order as the API shows it. It is also stored as the outcome of a saga run, for the waiting request. */
export function recordOf(given: Order): OrderRecord {
  const order = unfocused(given);
  const { id, clientOrderRef, buyerId, sellerId, amount, status, title, description, metadata } = order;
  return {
    id,
    clientOrderRef,
    buyerId,
    sellerId,
    amount: formatMoney(amount),
    currency: amount.currency,
    status,
    title,
    description,
    metadata,
    platformFee: Number(percentText(order.feeBasisPoints)),
    escrow: order.escrow === null ? null : recordOfEscrow(order, order.escrow),
    dispute: order.dispute === null ? null : recordOfDispute(order, order.dispute),
    milestones: order.milestones.map(recordOfMilestone),
    closeReason: order.closeReason,
    operation: operationOf(order.activeRun, orderOperations),
    amounts: recordOfAmounts(order),
    releaseMode: order.releaseMode,
    reviewPeriod: order.reviewPeriod,
    deliverBy: order.deliverBy,
    onNotDelivered: order.onNotDelivered,
    createdAt: order.createdAt,
    updatedAt: order.updatedAt,
  };
}

function recordOfEscrow(order: Order, escrow: Escrow): EscrowRecord {
  const { id, providerContractId, status, fundedAt, releasedAt, refundedAt } = escrow;
  return {
    id,
    providerContractId,
    status,
    amount: formatMoney(order.amount),
    terms: order.milestones.length > 0 ? { milestones_required: true } : null,
    fundedAt,
    releasedAt,
    refundedAt,
  };
}

function recordOfAmounts(order: Order): OrderRecord['amounts'] {
  const { funded, released, refunded, disputed, inEscrow } = amountsOf(order);
  return {
    funded: formatMoney(funded),
    released: formatMoney(released),
    refunded: formatMoney(refunded),
    disputed: formatMoney(disputed),
    inEscrow: formatMoney(inEscrow),
  };
}

/** What the run carries out, by a name of the API. */
function operationOf<Name extends string>(
  run: ActiveRun | null,
  names: readonly Name[],
): { readonly name: Name; readonly startedAt: Instant } | null {
  const name = names.find((each) => each === run?.saga);
  return run === null || name === undefined ? null : { name, startedAt: run.startedAt };
}

export function recordWithMilestone(order: Order, ref: string): OrderWithMilestoneRecord {
  return withMilestoneOf(recordOf(order), ref);
}

/** The record with one of its milestones beside it. */
export function withMilestoneOf(record: OrderRecord, ref: string): OrderWithMilestoneRecord {
  const milestone = record.milestones.find((each) => each.ref === ref);
  if (milestone === undefined) throw new AppError('MILESTONE_NOT_FOUND', { orderId: record.id, milestoneRef: ref });
  return { ...record, milestone };
}

export function recordOfMilestone(milestone: Milestone): MilestoneRecord {
  const { ref, title, amount, status, completedAt, submittedAt, autoReleaseAt, releasedAt, disputeId, evidence } = milestone;
  return {
    ref,
    title,
    amount: formatMoney(amount),
    status,
    completedAt,
    submittedAt,
    autoReleaseAt,
    releasedAt,
    releasedAmount: formatMoney(milestone.released),
    refundedAmount: formatMoney(milestone.refunded),
    disputeId,
    operation: operationOf(milestone.activeRun, milestoneOperations),
    evidence: evidence.map((entry) => ({ ...entry })),
  };
}

function recordOfDispute(order: Order, dispute: Dispute): DisputeRecord {
  const { id, openedBy, reason, evidence, status, assignedTo, resolution, resolvedBy, createdAt, resolvedAt } = dispute;
  return {
    id,
    orderId: order.id,
    openedBy,
    reason,
    evidence: evidence === null ? null : [...evidence],
    status,
    assignedTo,
    resolutionDecision: resolution?.decision ?? null,
    decisionNote: resolution?.note ?? null,
    releaseAmount: resolution === null ? null : formatMoney(resolution.release),
    refundAmount: resolution === null ? null : formatMoney(resolution.refund),
    resolvedBy,
    createdAt,
    resolvedAt,
    milestoneRef: dispute.milestoneRef,
    respondBy: dispute.respondBy,
    decideBy: dispute.decideBy,
    onNoResponse: dispute.onNoResponse,
    evidenceEntries: dispute.evidenceEntries.map(({ text, url, by, at }) => ({ text, url, by, at })),
  };
}

export function recordOfOpenedDispute(order: Order): OpenedDisputeRecord {
  return { ...disputeRecordIn(order), order: recordOf(order) };
}

/** The record of the dispute in an order that was looked up by its dispute. */
export function disputeRecordIn(order: Order): DisputeRecord {
  if (order.dispute === null) throw new AppError('DISPUTE_NOT_FOUND');
  return recordOfDispute(order, order.dispute);
}
