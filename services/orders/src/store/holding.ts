import type { DisputeId, MarketplaceId, OrderId } from '@holdfast/shared/ids';
import type { Tx } from '@holdfast/shared/postgres';
import type { Dispute } from '../domain/order.js';
import type { Held } from '../use-cases/ports.js';
import type { KnownOrder } from './known-orders.js';
import { toDispute, toOrder, toParties, type DisputeRow, type HeldRow } from './rows.js';
import { findByClientOrderRef, findOrderIdOfDispute, lockOrder, readDispute } from './sql/lock-order.js';

export type Found = Held & KnownOrder;

/** Whoever else wants the order waits until the transaction has ended. Undefined where the marketplace has no such order. */
export async function lock(
  tx: Tx,
  { marketplaceId, orderId }: { readonly marketplaceId: MarketplaceId; readonly orderId: string },
): Promise<Found | undefined> {
  const [row] = await tx.query<HeldRow>(lockOrder, [marketplaceId, orderId]);
  if (row === undefined) return undefined;
  const dispute = row.disputeId === null ? null : await disputeOf(tx, row.disputeId, row);
  return { order: toOrder(row, dispute), writtenBy: row.writtenBy, parties: () => toParties(row) };
}

async function disputeOf(tx: Tx, id: string, { currency }: HeldRow): Promise<Dispute | null> {
  const [row] = await tx.query<DisputeRow>(readDispute, [id]);
  return row === undefined ? null : toDispute(row, currency);
}

export async function findOrderOfDispute(
  tx: Tx,
  marketplaceId: MarketplaceId,
  disputeId: DisputeId,
): Promise<string | undefined> {
  const [row] = await tx.query<{ readonly orderId: string }>(findOrderIdOfDispute, [marketplaceId, disputeId]);
  return row?.orderId;
}

/** The order that has the client reference already. */
export async function findTaken(
  tx: Tx,
  marketplaceId: MarketplaceId,
  clientOrderRef: string | null,
): Promise<OrderId | undefined> {
  if (clientOrderRef === null) return undefined;
  const [row] = await tx.query<{ readonly id: OrderId }>(findByClientOrderRef, [marketplaceId, clientOrderRef]);
  return row?.id;
}
