import type { Tx } from '@holdfast/shared/postgres';
import type { Dispute, Escrow, Order, Resolution } from '../domain/order.js';
import type { Work } from '../use-cases/ports.js';
import { milestonesJson, operationJson } from './rows.js';
import { insertDispute, insertOrder, updateDispute, updateMilestones, updateOrder } from './sql/write-order.js';
import type { Write } from './together.js';

/** What becomes of orders in a transaction. */
export function ordersIn(write: Write): Work['orders'] {
  return {
    insert: (order) => write((tx) => insert(tx, order)),
    save: (before, after) => write((tx) => save(tx, before, after)),
  };
}

function insert(tx: Tx, order: Order): void {
  const { id, marketplaceId, clientOrderRef, amount } = order;
  tx.defer(insertOrder, [
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
    order.createdAt,
    order.updatedAt,
  ]);
}

/** Milestones and disputes are large or rare, and written only where they differ. */
function save(tx: Tx, before: Order, after: Order): void {
  if (after.dispute !== before.dispute) saveDispute(tx, after, before.dispute);
  if (after.milestones !== before.milestones) tx.defer(updateMilestones, [after.id, milestonesJson(after.milestones)]);
  const { id, status, closeReason, dispute, booked, operation, version, updatedAt } = after;
  const books = booked === null ? null : JSON.stringify(booked);
  const kept = [dispute?.id ?? null, books, operationJson(operation), version, updatedAt];
  tx.defer(updateOrder, [id, status, closeReason, ...escrowValues(after.escrow), ...kept]);
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
