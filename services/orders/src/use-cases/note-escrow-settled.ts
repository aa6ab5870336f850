import type { Context, Instant } from '@holdfast/shared/context';
import type { balanceEscrowSettled, Envelope, Payload } from '@holdfast/shared/contracts/messages';
import { add, money, parseMoney, type Money } from '@holdfast/shared/money';
import { isFunded, isPaidOut } from '../domain/escrow.js';
import type { Order, Resolution } from '../domain/order.js';
import { isPaidAsPlanned, partsOfPaid, plannedParts, resolutionOfParts, type Paid, type Parts } from '../domain/parts.js';
import { settled } from '../domain/settling.js';
import { logEnd, orderOfMessage } from './answer.js';
import { entered, type AuditNote } from './audit.js';
import type { Change } from './change.js';
import { end, type Failure } from './operation.js';
import { closedEvent, refundedEvent, releasedEvent, resolvedEvent } from './order-events.js';
import { originOfMessage, outside } from './origin.js';
import type { Deps } from './ports.js';

type Settled = Payload<typeof balanceEscrowSettled>;

/**
 * The books are paid out, so the order ends, whoever asked for it: the operation under way, or somebody on the ledger network.
 * What was paid decides how it ends; an operation that wanted something else has failed.
 */
export function noteEscrowSettled(deps: Deps, message: Envelope<Settled>, ctx: Context): Promise<void> {
  const { payload } = message;
  return deps.hear(message, async (tx) => {
    const order = await orderOfMessage(tx, message, payload.orderId, ctx);
    if (order === undefined || order.status === 'CLOSED') return;
    demandFunded(order);
    const { ending, byWhom } = endingOf(order, payload, ctx.at);
    const origin = originOfMessage(message, ctx, { operation: byWhom });
    logEnd(ctx, order, await end(tx, order, ending, origin));
  });
}

/** News overtook news: it is tried again, and by then the order has heard that its contract was funded. */
function demandFunded({ id, escrow }: Order): void {
  if (escrow !== null && (isFunded(escrow) || isPaidOut(escrow))) return;
  throw new Error(`order ${id} was paid out before it was funded`);
}

type Ending = Change & { readonly failure?: Failure };

function endingOf(order: Order, payload: Settled, at: Instant): { readonly ending: Ending; readonly byWhom: Order['operation'] } {
  const paid = paidBy(order, payload);
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
  const events = [...eventsOf(order, after, parts, payload), ...closedEvent(after, at)];
  const ending: Ending = { after, events, audits: auditsOf(order, after, parts) };
  const failure = { code: 'INVALID_STATE', details: { currentStatus: after.status, closeReason: after.closeReason } } as const;
  return { ending: isAsPlanned || order.operation === null ? ending : { ...ending, failure }, byWhom };
}

function paidBy(order: Order, { payouts, fee, currency }: Settled): Paid {
  const paidTo = (userId: string): Money =>
    payouts
      .filter((payout) => payout.userId === userId)
      .reduce((sum, { amount }) => add(sum, parseMoney(amount, currency)), money(0n, currency));
  return { seller: paidTo(order.sellerId), buyer: paidTo(order.buyerId), fee: parseMoney(fee, currency) };
}

function eventsOf(before: Order, after: Order, parts: Parts, { payouts }: Settled) {
  const left = new Map(payouts.map(({ userId, newAvailableBalance }) => [userId, newAvailableBalance]));
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
