import { codeOf, type Tx } from '@holdfast/shared/postgres';
import type { Dispute, Escrow, Order, Resolution } from '../domain/order.js';
import type { SavedOrder } from './draft.js';
import { milestonesJson, operationJson } from './rows.js';
import { insertDispute, insertNew, orderChangedCode, updateDispute, updateMilestones, updateOrders } from './sql/write-order.js';

/** Hears which transaction has written them, before it commits. */
type Written = (orders: readonly Order[], writtenBy: string) => void;

type WrittenRow = { readonly writtenBy: string };

export function insertOrders(tx: Tx, orders: readonly Order[], written: Written): void {
  if (orders.length === 0) return;
  tx.defer(insertNew(orders.length), orders.flatMap(insertValues), ([row]: readonly WrittenRow[]) => {
    if (row !== undefined) written(orders, row.writtenBy);
  });
}

function insertValues(order: Order): readonly unknown[] {
  const { id, marketplaceId, clientOrderRef, amount } = order;
  return [
    id,
    marketplaceId,
    clientOrderRef,
    order.buyerId,
    order.sellerId,
    amount.units,
    amount.currency,
    order.status,
    order.title,
    order.description,
    JSON.stringify(order.metadata),
    order.feeBasisPoints,
    milestonesJson(order.milestones),
    order.version,
    order.lastEventId,
    order.createdAt,
    order.updatedAt,
  ];
}

/** Milestones and disputes are large or rare, and written only where they differ. */
export function saveOrders(tx: Tx, saved: readonly SavedOrder[], written: Written): void {
  if (saved.length === 0) return;
  const orders = saved.map(({ after }) => after);
  tx.defer(updateOrders(saved.length), saved.flatMap(updateValues), ([row]: readonly WrittenRow[]) => {
    if (row !== undefined) written(orders, row.writtenBy);
  });
  for (const { before, after } of saved) {
    if (after.dispute !== before.dispute) saveDispute(tx, after, before.dispute);
    if (after.milestones !== before.milestones) tx.defer(updateMilestones, [after.id, milestonesJson(after.milestones)]);
  }
}

/** Whether an order was no longer as it was when its change was decided. */
export function tellsChangedMeanwhile(error: unknown): boolean {
  return codeOf(error) === orderChangedCode;
}

function updateValues({ after, writtenBy }: SavedOrder): readonly unknown[] {
  const { id, status, closeReason, escrow, dispute, booked, operation, version, lastEventId, updatedAt } = after;
  const books = booked === null ? null : JSON.stringify(booked);
  const kept = [dispute?.id ?? null, books, operationJson(operation), version, lastEventId, updatedAt];
  return [id, writtenBy, status, closeReason, ...escrowValues(escrow), ...kept];
}

const noEscrow: readonly null[] = [null, null, null, null, null, null, null, null];

function escrowValues(escrow: Escrow | null): readonly unknown[] {
  if (escrow === null) return noEscrow;
  const { id, status, contractType, providerContractId, fundedAt, releasedAt, refundedAt, version } = escrow;
  return [id, status, contractType, providerContractId, fundedAt, releasedAt, refundedAt, version];
}

function saveDispute(tx: Tx, { id: orderId, marketplaceId, dispute }: Order, before: Dispute | null): void {
  if (dispute === null) return;
  const { id, openedBy, reason, evidence, status, assignedTo, version, createdAt, resolvedBy, resolvedAt } = dispute;
  if (before?.id === id) {
    const decided = resolutionValues(dispute.resolution);
    tx.defer(updateDispute, [id, status, assignedTo, ...decided, resolvedBy, version, resolvedAt]);
    return;
  }
  const references = evidence === null ? null : JSON.stringify(evidence);
  tx.defer(insertDispute, [id, marketplaceId, orderId, openedBy, reason, references, status, version, createdAt]);
}

function resolutionValues(resolution: Resolution | null): readonly unknown[] {
  if (resolution === null) return [null, null, null, null];
  const { decision, note, release, refund } = resolution;
  return [decision, note, release.units, refund.units];
}
