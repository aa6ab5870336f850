import type { Context, Instant } from '@holdfast/shared/context';
import type { Envelope } from '@holdfast/shared/contracts/messages';
import { add, money, parseMoney, type Money } from '@holdfast/shared/money';
import { escrowOf, isFunded, isPaidOut } from '../domain/escrow.js';
import type { Booked, Order, Resolution } from '../domain/order.js';
import { isPaidAsPlanned, partsOfPaid, plannedParts, resolutionOfParts, type Paid, type Parts } from '../domain/parts.js';
import { settled } from '../domain/settling.js';
import { logEnd } from './answer.js';
import { entered, type AuditNote } from './audit.js';
import { commit, type Change, type Event } from './change.js';
import { end, type Failure } from './operation.js';
import { closedEvent, refundedEvent, releasedEvent, resolvedEvent } from './order-events.js';
import { originOfMessage, outside } from './origin.js';
import type { Work } from './ports.js';

type News = { readonly message: Envelope; readonly ctx: Context };

/**
 * Two pieces of news end an order: that its contract has paid, and what the books paid. They come in any order and are kept
 * until both are there. Whoever asked for it, the money decides how the order ends; an operation that wanted something else
 * has failed.
 */
export function settleWhenComplete(tx: Work, before: Order, known: Order, { message, ctx }: News): void {
  if (known.booked === null || !isPaidOut(escrowOf(known))) {
    commit(tx, before, { after: known, events: [], audits: [] }, originOfMessage(message, ctx, before));
    return;
  }
  const { ending, byWhom } = endingOf(known, known.booked, ctx.at);
  const { afterEventId } = known.booked;
  const origin = originOfMessage(message, ctx, { operation: byWhom });
  // The books pay because the contract has paid: what they told comes last, whichever news came last here.
  logEnd(ctx, before, end(tx, before, ending, afterEventId === undefined ? origin : { ...origin, afterEventId }));
}

/** News overtook news: it is tried again, and by then the order has heard that its contract was funded. */
export function demandFunded({ id, escrow }: Order): void {
  if (escrow !== null && (isFunded(escrow) || isPaidOut(escrow))) return;
  throw new Error(`order ${id} was paid out before it was funded`);
}

type Ending = Change & { readonly failure?: Failure };

function endingOf(order: Order, booked: Booked, at: Instant): { readonly ending: Ending; readonly byWhom: Order['operation'] } {
  const paid = paidBy(order, booked);
  const planned = plannedParts(order);
  const isAsPlanned = planned !== undefined && isPaidAsPlanned(planned, paid);
  const parts = isAsPlanned ? planned : partsOfPaid(paid);
  const byWhom = isAsPlanned ? order.operation : null;
  const after = settled(order, {
    parts,
    resolution: byWhom?.resolution ?? resolutionOfParts(parts),
    resolvedBy: byWhom?.requestedBy ?? outside.id,
    at,
  });
  const events = [...eventsOf(order, after, parts, booked), ...closedEvent(after, at)];
  const ending: Ending = { after, events, audits: auditsOf(order, after, parts) };
  const failure = { code: 'INVALID_STATE', details: { currentStatus: after.status, closeReason: after.closeReason } } as const;
  return { ending: isAsPlanned || order.operation === null ? ending : { ...ending, failure }, byWhom };
}

function paidBy({ sellerId, buyerId, amount: { currency } }: Order, { payouts, fee }: Booked): Paid {
  const paidTo = (userId: string): Money =>
    payouts
      .filter((payout) => payout.userId === userId)
      .reduce((sum, { amount }) => add(sum, parseMoney(amount, currency)), money(0n, currency));
  return { seller: paidTo(sellerId), buyer: paidTo(buyerId), fee: parseMoney(fee, currency) };
}

function eventsOf(before: Order, after: Order, parts: Parts, { payouts }: Booked): readonly Event[] {
  const left = new Map<string, string>(payouts.map(({ userId, newAvailableBalance }) => [userId, newAvailableBalance]));
  const paidOut = parts.decision === 'REFUND' ? refundedEvent(after, parts, left) : releasedEvent(after, parts, left);
  const isResolved = after.dispute !== null && after.dispute !== before.dispute;
  return [...(isResolved ? resolvedEvent(after, after.dispute) : []), ...paidOut];
}

function auditsOf(before: Order, after: Order, { decision }: Parts): readonly AuditNote[] {
  const moves = entered(before, [decision === 'REFUND' ? 'REFUNDED' : 'RELEASED', 'CLOSED']);
  const { dispute } = after;
  if (dispute === null || dispute === before.dispute || dispute.resolution === null) return moves;
  return [resolvedNote(before, dispute.resolution), ...moves];
}

function resolvedNote({ dispute }: Order, { decision, note }: Resolution): AuditNote {
  const before = { disputeStatus: dispute?.status ?? null };
  return { action: 'DISPUTE_RESOLVED', reason: note, before, after: { disputeStatus: 'RESOLVED', decision } };
}
