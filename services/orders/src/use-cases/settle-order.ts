import type { Context, Instant } from '@holdfast/kernel/context';
import { disputeResolved, type Envelope } from '@holdfast/contracts/messages';
import type { Published } from '@holdfast/contracts/sagas';
import { add, money, parseMoney, type Money } from '@holdfast/kernel/money';
import { type NewAuditEntry, applyChange, type Event, type Failure, type RunEnd } from '@holdfast/sagas';
import { escrowOf, isFunded, isPaidOut } from '../domain/escrow.js';
import { amountsOf, zeroAmount } from '../domain/amounts.js';
import type { ActiveRun, LedgerPayout, Order } from '../domain/order.js';
import {
  isPaidAsPlanned,
  sharesOf,
  sharesOfPaid,
  plannedShares,
  resolutionOfShares,
  type Paid,
  type PayoutShares,
} from '../domain/payout-shares.js';
import { settled } from '../domain/settlement.js';
import { statusEntries } from './audit.js';
import { endRun, logRunEnded } from './end-run.js';
import { orderKind } from './order-kind.js';
import { closedEvent, refundedEvent, releasedEvent, resolvedEvent } from './order-events.js';
import { originOfMessage, ledgerNetworkActor } from './origin.js';
import type { UnitOfWork } from './ports.js';

/** What is published when an order is closed because its contract and the ledger have paid. */
export type SettlementEvent = 'dispute.resolved' | 'order.released' | 'order.refunded' | 'order.closed';

type Delivery = { readonly message: Envelope; readonly ctx: Context };

/**
 * Closes an order once two messages have arrived, in either order: the payout of the contract and the payout of the ledger. The
 * first one is stored with the order. What was paid decides the close reason; an active run with another goal fails.
 * See ADR 0021.
 */
export function settleWhenComplete(
  tx: UnitOfWork,
  before: Order,
  updated: Order,
  { message, ctx }: Delivery,
): Published<SettlementEvent> | undefined {
  if (updated.ledgerPayout === null || !isPaidOut(escrowOf(updated))) {
    const change = { after: updated, events: [], auditEntries: [] };
    applyChange(tx, orderKind, before, { change, origin: originOfMessage(message, ctx, before) });
    return undefined;
  }
  const { runEnd, initiatingRun } = runEndOf(updated, updated.ledgerPayout, ctx.at);
  const origin = originOfMessage(message, ctx, { activeRun: initiatingRun });
  // The ledger pays because the contract has paid, so its event is predecessor and cause even if its message arrived first.
  const { afterEventId: ledgerEventId } = updated.ledgerPayout;
  const ledgerOrigin = { ...origin, afterEventId: ledgerEventId, causationId: ledgerEventId };
  const ended = endRun(tx, before, runEnd, ledgerEventId === undefined ? origin : ledgerOrigin);
  logRunEnded(ctx, before, ended.order);
  return ended;
}

/** A payout message can overtake escrow.funded. It throws, so that the message is retried after escrow.funded was handled. */
export function requireFunded({ id, escrow }: Order): void {
  if (escrow !== null && (isFunded(escrow) || isPaidOut(escrow))) return;
  throw new Error(`order ${id} was paid out before it was funded`);
}

function runEndOf(
  order: Order,
  ledgerPayout: LedgerPayout,
  at: Instant,
): { readonly runEnd: RunEnd<Order, SettlementEvent>; readonly initiatingRun: Order['activeRun'] } {
  const paid = paidBy(order, ledgerPayout);
  const planned = plannedShares(order);
  const isAsPlanned = planned !== undefined && isPaidAsPlanned(planned, paid);
  const shares = isAsPlanned ? planned : sharesOfPaid(paid);
  const initiatingRun = isAsPlanned ? order.activeRun : null;
  const after = settled(order, {
    shares,
    resolution: initiatingRun?.resolution ?? resolutionOfShares(shares),
    resolvedBy: initiatingRun?.requestedBy ?? ledgerNetworkActor.id,
    at,
  });
  const events = [...resolvedEvents(order, after), ...closingEvents(after, { shares, ledgerPayout, at })];
  const runEnd = { after, events, auditEntries: [...resolvedEntries(order, after), ...closingEntries(order, after)] };
  if (isAsPlanned || order.activeRun === null) return { runEnd, initiatingRun };
  return { runEnd: { ...runEnd, failure: closedMeanwhile(order.activeRun, after) }, initiatingRun };
}

/** The outcome of a run with another goal than what was paid. */
function closedMeanwhile({ saga }: ActiveRun, { status, closeReason }: Order): Failure {
  const allowedStatuses = saga === 'resolve-dispute' ? ['DISPUTED'] : ['IN_PROGRESS'];
  return { code: 'INVALID_STATE', details: { currentStatus: status, allowedStatuses, closeReason } };
}

function paidBy({ sellerId, buyerId, amount: { currency } }: Order, { payouts, fee }: LedgerPayout): Paid {
  const paidTo = (userId: string): Money =>
    payouts
      .filter((payout) => payout.userId === userId)
      .reduce((sum, { amount }) => add(sum, parseMoney(amount, currency)), money(0n, currency));
  return { seller: paidTo(sellerId), buyer: paidTo(buyerId), fee: parseMoney(fee, currency) };
}

/** The event about a dispute that the change has resolved. */
export function resolvedEvents(before: Order, after: Order): readonly Event<'dispute.resolved'>[] {
  const isResolved = after.dispute !== null && after.dispute !== before.dispute;
  return isResolved ? resolvedEvent(after, after.dispute) : [];
}

export function resolvedEntries(before: Order, { dispute }: Order): readonly NewAuditEntry[] {
  if (dispute === null || dispute === before.dispute || dispute.resolution === null) return [];
  const { decision, note } = dispute.resolution;
  return [
    {
      action: 'DISPUTE_RESOLVED',
      reason: note,
      before: { disputeStatus: before.dispute?.status ?? null },
      after: { disputeStatus: 'RESOLVED', decision },
      reports: disputeResolved.type,
    },
  ];
}

export type LastPayout = { readonly shares: PayoutShares; readonly ledgerPayout: LedgerPayout; readonly at: Instant };

/** The events about an order that its last payout has closed. They have the amounts of the whole order. */
export function closingEvents(
  order: Order,
  { shares, ledgerPayout: { payouts }, at }: LastPayout,
): readonly Event<'order.released' | 'order.refunded' | 'order.closed'>[] {
  const newBalances = new Map<string, string>(payouts.map(({ userId, newAvailableBalance }) => [userId, newAvailableBalance]));
  const inAll = sharesInAll(order, shares);
  const released = order.closeReason === 'REFUNDED' ? [] : releasedEvent(order, inAll, newBalances);
  const paidOut = released.length > 0 ? released : refundedEvent(order, inAll, newBalances);
  return [...paidOut, ...closedEvent(order, at)];
}

function sharesInAll(order: Order, last: PayoutShares): PayoutShares {
  if (order.releaseMode === 'order') return last;
  const { released: seller, refunded: buyer } = amountsOf(order);
  return sharesOf({ seller, buyer, fee: order.milestones.map(({ fee }) => fee).reduce(add, zeroAmount(order)) });
}

/** The statuses that the order enters when it is closed. One whose last milestone was paid on its own enters all of them at once. */
export function closingEntries(before: Pick<Order, 'status'>, { closeReason, focus }: Order): readonly NewAuditEntry[] {
  const isRefund = closeReason === 'REFUNDED';
  const requested = isRefund ? 'REFUND_REQUESTED' : 'RELEASE_REQUESTED';
  return statusEntries(before, [...(focus === null ? [] : ([requested] as const)), isRefund ? 'REFUNDED' : 'RELEASED', 'CLOSED']);
}
