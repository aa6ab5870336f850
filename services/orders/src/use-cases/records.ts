import type {
  DisputeRecord,
  EscrowRecord,
  MilestoneRecord,
  OpenedDisputeRecord,
  OrderRecord,
  OrderWithMilestoneRecord,
} from '@holdfast/contracts/http';
import { AppError } from '@holdfast/kernel/errors';
import { formatMoney } from '@holdfast/kernel/money';
import { milestoneOf } from '../domain/milestones.js';
import type { Dispute, Escrow, Milestone, Order } from '../domain/order.js';
import { percentText } from '../domain/percent.js';

/** An order as the API shows it. It is also stored as the outcome of a saga run, for the waiting request. */
export function recordOf(order: Order): OrderRecord {
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
    operation: order.activeRun === null ? null : { name: order.activeRun.saga, startedAt: order.activeRun.startedAt },
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

export function recordWithMilestone(order: Order, ref: string): OrderWithMilestoneRecord {
  const milestone = milestoneOf(order, ref);
  if (milestone === undefined) throw new AppError('MILESTONE_NOT_FOUND', { orderId: order.id, milestoneRef: ref });
  return { ...recordOf(order), milestone: recordOfMilestone(milestone) };
}

export function recordOfMilestone({ ref, title, amount, status, completedAt }: Milestone): MilestoneRecord {
  return { ref, title, amount: formatMoney(amount), status, completedAt };
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
