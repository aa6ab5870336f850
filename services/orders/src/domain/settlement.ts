import type { Instant } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import { isLess, subtract } from '@holdfast/kernel/money';
import { amountsOf, zeroAmount } from './amounts.js';
import { isUnresolved, resolved } from './dispute.js';
import { escrowOf, escrowPaidOut, moveEscrow } from './escrow.js';
import { isPaid } from './milestone-states.js';
import { openMilestoneRefs, paidMilestone, requireNoDisputedMilestone } from './milestones.js';
import { closed, requireNoActiveRun, moveOrder } from './move-order.js';
import type { CloseReason, Milestone, Order, Resolution } from './order.js';
import { orderMoves } from './order-states.js';
import { resolutionOfShares, sharesOf, type PayoutShares } from './payout-shares.js';

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
  requireNoDisputedMilestone(order, orderMoves[move].from);
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
 * has disputed on the ledger network is shown as DISPUTED. A milestone has kept its status.
 */
export function settlementFailed(order: Order, { isDisputed }: { readonly isDisputed: boolean }): Order {
  if (order.focus !== null) return order;
  const after = moveOrder(order, order.activeRun?.saga === 'resolve-dispute' ? 'notResolved' : 'notSettled');
  const escrow = escrowOf(order);
  if (!isDisputed || escrow.status !== 'FUNDED' || order.releaseMode === 'milestone') return after;
  return { ...after, escrow: { ...moveEscrow(escrow, 'dispute'), isDisputedByAttempt: true } };
}

export type Settled = {
  readonly shares: PayoutShares;
  /** Applied to the unresolved dispute of the order, if there is one. */
  readonly resolution: Resolution;
  readonly resolvedBy: string;
  readonly at: Instant;
};

/** The order after its contract has paid everything out. */
export function settled(order: Order, { shares, resolution, resolvedBy, at }: Settled): Order {
  const dispute = isUnresolved(order.dispute) ? resolved(order.dispute, { resolution, resolvedBy, at }) : order.dispute;
  const milestones = order.releaseMode === 'milestone' ? withShares(order, shares, at) : order.milestones;
  return closedAsPaid({ ...order, dispute, milestones }, decisionInAll(milestones, shares.decision), at);
}

/**
 * Closes an order whose last milestone was paid out on its own. One that is disputed as a whole was paid outside this platform: what was
 * paid has decided its dispute.
 */
export function settledByMilestones(order: Order, at: Instant): Order {
  const decision = decisionInAll(order.milestones, 'RELEASE');
  const requested =
    order.status === 'IN_PROGRESS' ? moveOrder(order, decision === 'REFUND' ? 'requestRefund' : 'requestRelease') : order;
  return closedAsPaid(withDecidedDispute(requested, at), decision, at);
}

function withDecidedDispute(order: Order, at: Instant): Order {
  const { focus } = order;
  if (focus === null || !isUnresolved(focus.orderDispute)) return order;
  const { released: seller, refunded: buyer } = amountsOf(order);
  const resolution = resolutionOfShares(sharesOf({ seller, buyer, fee: zeroAmount(order) }));
  const orderDispute = resolved(focus.orderDispute, { resolution, resolvedBy: 'ledger-network', at });
  return { ...order, focus: { ...focus, orderDispute } };
}

function closedAsPaid(order: Order, decision: PayoutShares['decision'], at: Instant): Order {
  const move = decision === 'REFUND' ? 'refund' : 'release';
  const paid = { ...moveOrder(order, move), escrow: escrowPaidOut(escrowOf(order), move, at) };
  return closed(moveOrder(paid, 'close'), closeReasons[decision]);
}

/** What happened to the whole order. One that is not paid milestone by milestone has one payout only. */
function decisionInAll(milestones: readonly Milestone[], only: PayoutShares['decision']): PayoutShares['decision'] {
  if (!milestones.some(isPaid)) return only;
  const isToSeller = milestones.some(({ released }) => released.units > 0n);
  const isToBuyer = milestones.some(({ refunded }) => refunded.units > 0n);
  return isToSeller && isToBuyer ? 'SPLIT' : isToSeller ? 'RELEASE' : 'REFUND';
}

/** Fills the milestones that were not paid before, in order, the seller's share first. The one on the border is split. */
function withShares(order: Order, { seller, fee }: PayoutShares, at: Instant): readonly Milestone[] {
  const nothing = zeroAmount(order);
  let left = seller;
  let feeLeft = fee;
  return order.milestones.map((milestone) => {
    if (isPaid(milestone)) return milestone;
    const toSeller = isLess(left, milestone.amount) ? left : milestone.amount;
    const toBuyer = subtract(milestone.amount, toSeller);
    left = subtract(left, toSeller);
    const ownFee = toSeller.units > 0n ? feeLeft : nothing;
    feeLeft = subtract(feeLeft, ownFee);
    return paidMilestone(milestone, sharesOf({ seller: toSeller, buyer: toBuyer, fee: ownFee }), at);
  });
}

const closeReasons = { RELEASE: 'RELEASED', REFUND: 'REFUNDED', SPLIT: 'SPLIT' } as const satisfies Record<
  PayoutShares['decision'],
  CloseReason
>;
