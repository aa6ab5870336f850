import type { Tx } from '@holdfast/shared/postgres';
import type { Dispute, Escrow, Order, Resolution } from '../domain/order.js';
import type { Work } from '../use-cases/ports.js';
import { milestonesJson, operationJson, toDispute, toOrder, type DisputeRow, type OrderRow } from './rows.js';
import { findOrderIdOfDispute, lockOrder, readDispute } from './sql/lock-order.js';
import {
  findByClientOrderRef,
  insertDispute,
  insertOrder,
  updateDispute,
  updateMilestones,
  updateOrder,
} from './sql/write-order.js';

/** Orders within a transaction. */
export function ordersIn(tx: Tx): Work['orders'] {
  const lock: Work['orders']['lock'] = async (marketplaceId, id) => {
    const [row] = await tx.query<OrderRow>(lockOrder, [marketplaceId, id]);
    if (row === undefined) return undefined;
    return toOrder(row, row.disputeId === null ? null : await disputeOf(tx, row.disputeId, row));
  };
  return {
    lock,
    lockDisputed: async (marketplaceId, disputeId) => {
      const [found] = await tx.query<{ readonly orderId: string }>(findOrderIdOfDispute, [marketplaceId, disputeId]);
      return found === undefined ? undefined : lock(marketplaceId, found.orderId);
    },
    insert: (order) => insert(tx, order),
    save: (before, after) => save(tx, before, after),
  };
}

async function disputeOf(tx: Tx, id: string, { currency }: OrderRow): Promise<Dispute | null> {
  const [row] = await tx.query<DisputeRow>(readDispute, [id]);
  return row === undefined ? null : toDispute(row, currency);
}

async function insert(tx: Tx, order: Order): Promise<Order['id']> {
  const { id, marketplaceId, clientOrderRef, amount } = order;
  const inserted = await tx.query(insertOrder, [
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
  if (inserted.length > 0) return id;
  const [rival] = await tx.query<{ readonly id: Order['id'] }>(findByClientOrderRef, [marketplaceId, clientOrderRef]);
  if (rival === undefined) throw new Error(`order ${id} was neither inserted nor found`);
  return rival.id;
}

/** Milestones and disputes are large or rare, and written only where they differ. */
async function save(tx: Tx, before: Order, after: Order): Promise<void> {
  if (after.dispute !== before.dispute) await saveDispute(tx, after, before.dispute);
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

async function saveDispute(tx: Tx, { id: orderId, marketplaceId, dispute }: Order, before: Dispute | null): Promise<void> {
  if (dispute === null) return;
  const { id, openedBy, reason, evidence, status, assignedTo, version, createdAt, resolvedBy, resolvedAt } = dispute;
  if (before?.id === id) {
    const decided = resolutionValues(dispute.resolution);
    await tx.query(updateDispute, [id, status, assignedTo, ...decided, resolvedBy, version, resolvedAt]);
    return;
  }
  const references = evidence === null ? null : JSON.stringify(evidence);
  await tx.query(insertDispute, [id, marketplaceId, orderId, openedBy, reason, references, status, version, createdAt]);
}

function resolutionValues(resolution: Resolution | null): readonly unknown[] {
  if (resolution === null) return [null, null, null, null];
  const { decision, note, release, refund } = resolution;
  return [decision, note, release.units, refund.units];
}
