import type { Instant } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import { isUnresolved, resolved } from './dispute.js';
import { escrowOf, escrowPaidOut, moveEscrow } from './escrow.js';
import { openMilestoneRefs } from './milestones.js';
import { closed, requireNoActiveRun, moveOrder } from './move-order.js';
import type { CloseReason, Order, Resolution } from './order.js';
import { orderMoves } from './order-states.js';
import type { PayoutShares } from './payout-shares.js';

/** The checks stand in the order of the specification. */
export function startRelease(order: Order): Order {
  const after = startSettlement(order, 'requestRelease');
  const openRefs = openMilestoneRefs(order);
  if (openRefs.length > 0)
    throw new AppError('INVALID_STATE', { ...refusal(order, 'requestRelease'), incompleteMilestones: openRefs });
  requireFundedEscrow(order, 'requestRelease');
  return after;
}

/** Like a release, but milestones need not be completed. */
export function startRefund(order: Order): Order {
  const after = startSettlement(order, 'requestRefund');
  requireFundedEscrow(order, 'requestRefund');
  return after;
}

type SettlementMove = 'requestRelease' | 'requestRefund';

function startSettlement(order: Order, move: SettlementMove): Order {
  requireNoActiveRun(order, orderMoves[move].from);
  const after = moveOrder(order, move);
  if (order.escrow === null) throw new AppError('INVALID_STATE', { ...refusal(order, move), escrowStatus: null });
  if (isUnresolved(order.dispute)) throw new AppError('DISPUTE_ALREADY_OPEN', { disputeId: order.dispute.id });
  return after;
}

function requireFundedEscrow(order: Order, move: SettlementMove): void {
  const { status, isDisputedByAttempt } = escrowOf(order);
  const isPayable = status === 'FUNDED' || (status === 'DISPUTED' && isDisputedByAttempt);
  if (!isPayable) throw new AppError('INVALID_STATE', { ...refusal(order, move), escrowStatus: status });
}

function refusal({ status }: Order, move: SettlementMove) {
  return { currentStatus: status, allowedStatuses: orderMoves[move].from };
}

/**
 * Nothing was paid out, so the order returns to its earlier status. What the attempt did to the contract stays: a contract that it
 * has disputed on the ledger network is shown as DISPUTED.
 */
export function settlementFailed(order: Order, { isDisputed }: { readonly isDisputed: boolean }): Order {
  const after = moveOrder(order, order.activeRun?.saga === 'resolve-dispute' ? 'notResolved' : 'notSettled');
  const escrow = escrowOf(order);
  if (!isDisputed || escrow.status !== 'FUNDED') return after;
  return { ...after, escrow: { ...moveEscrow(escrow, 'dispute'), isDisputedByAttempt: true } };
}

export type Settled = {
  readonly shares: PayoutShares;
  /** Applied to the unresolved dispute of the order, if there is one. */
  readonly resolution: Resolution;
  readonly resolvedBy: string;
  readonly at: Instant;
};

export function settled(order: Order, { shares, resolution, resolvedBy, at }: Settled): Order {
  const move = shares.decision === 'REFUND' ? 'refund' : 'release';
  const dispute = isUnresolved(order.dispute) ? resolved(order.dispute, { resolution, resolvedBy, at }) : order.dispute;
  const paid = { ...moveOrder(order, move), escrow: escrowPaidOut(escrowOf(order), move, at), dispute };
  return closed(moveOrder(paid, 'close'), closeReasons[shares.decision]);
}

const closeReasons = { RELEASE: 'RELEASED', REFUND: 'REFUNDED', SPLIT: 'SPLIT' } as const satisfies Record<
  PayoutShares['decision'],
  CloseReason
>;
