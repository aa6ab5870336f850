import type { Instant } from '@holdfast/kernel/context';
import { orderClosed, orderRefunded, orderReleased, disputeResolved } from '@holdfast/contracts/messages';
import { formatMoney, subtract } from '@holdfast/kernel/money';
import { event, type Event } from '@holdfast/sagas';
import { escrowOf } from '../domain/escrow.js';
import type { Dispute, Order } from '../domain/order.js';
import type { PayoutShares } from '../domain/payout-shares.js';

/** The fields that all events about a deployed contract share. */
export function escrowFields(order: Order) {
  const { id: escrowId, providerContractId } = escrowOf(order);
  if (providerContractId === null) throw new Error(`escrow ${escrowId} has no contract`);
  return { escrowId, orderId: order.id, providerContractId, amount: formatMoney(order.amount) };
}

/** The available balances after the payout, by user. A user who got nothing may be missing. */
export type NewBalances = ReadonlyMap<string, string>;

/** After a split the event carries the seller's part. */
export function releasedEvent(order: Order, shares: PayoutShares, newBalances: NewBalances): readonly Event<'order.released'>[] {
  const { id: orderId, sellerId, amount } = order;
  const newSellerBalance = newBalances.get(sellerId);
  const { releasedAt } = escrowOf(order);
  if (newSellerBalance === undefined || releasedAt === null) return [];
  return [
    event(orderReleased, {
      orderId,
      sellerId,
      amount: formatMoney(shares.seller),
      currency: amount.currency,
      platformFee: formatMoney(shares.fee),
      netAmount: formatMoney(subtract(shares.seller, shares.fee)),
      releasedAt,
      newSellerBalance,
    }),
  ];
}

export function refundedEvent(order: Order, shares: PayoutShares, newBalances: NewBalances): readonly Event<'order.refunded'>[] {
  const { id: orderId, buyerId, amount } = order;
  const newBuyerBalance = newBalances.get(buyerId);
  // The escrow of an order that was refunded in part is RELEASED.
  const escrow = escrowOf(order);
  const refundedAt = escrow.refundedAt ?? escrow.releasedAt;
  if (newBuyerBalance === undefined || refundedAt === null) return [];
  return [
    event(orderRefunded, {
      orderId,
      buyerId,
      amount: formatMoney(shares.buyer),
      currency: amount.currency,
      refundedAt,
      newBuyerBalance,
    }),
  ];
}

export function resolvedEvent(order: Order, dispute: Dispute): readonly Event<'dispute.resolved'>[] {
  const { resolution, resolvedBy, resolvedAt } = dispute;
  if (resolution === null || resolvedBy === null || resolvedAt === null) return [];
  return [
    event(disputeResolved, {
      disputeId: dispute.id,
      orderId: order.id,
      decision: resolution.decision,
      ...(resolution.note === null ? {} : { decisionNote: resolution.note }),
      resolvedBy,
      resolvedAt,
      buyerAmount: formatMoney(resolution.refund),
      sellerAmount: formatMoney(resolution.release),
    }),
  ];
}

export function closedEvent({ id, closeReason }: Order, closedAt: Instant): readonly Event<'order.closed'>[] {
  return closeReason === null ? [] : [event(orderClosed, { orderId: id, finalStatus: closeReason, closedAt })];
}
