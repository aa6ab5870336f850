import type { Instant } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import { instantAfter } from '@holdfast/kernel/instants';
import { moved } from '@holdfast/kernel/states';
import { amountToSettle, zeroAmount } from './amounts.js';
import { disputeMoves } from './dispute-states.js';
import { moveEscrow } from './escrow.js';
import { disputeMilestone, requireNoDisputedMilestone, requireOwnPayout } from './milestones.js';
import { requireNoActiveRun, requireMove, moveOrder } from './move-order.js';
import type { Dispute, DisputeRules, Order, Resolution } from './order.js';
import { orderMoves, type OrderStatus } from './order-states.js';
import { isFullSplit } from './payout-shares.js';

export type NewDispute = Pick<Dispute, 'id' | 'openedBy' | 'reason' | 'evidence'> & {
  readonly rules: DisputeRules;
  /** In the time of the marketplace. */
  readonly now: Instant;
  readonly evidenceEntries?: Dispute['evidenceEntries'];
};

/** The rules of a marketplace that has never set any. */
export const noDisputeRules: DisputeRules = { responsePeriod: null, decisionPeriod: null, onNoResponse: 'none' };

export function isUnresolved(dispute: Dispute | null): dispute is Dispute {
  return dispute !== null && dispute.status !== 'RESOLVED';
}

/** Opening a dispute sends nothing to the ledger network. The contract may already be disputed there. */
export function openDispute(order: Order, given: NewDispute, at: Instant): Order & { readonly dispute: Dispute } {
  requireMove(order, 'dispute');
  requireNoDisputedMilestone(order, orderMoves.dispute.from);
  if (isUnresolved(order.dispute)) throw new AppError('DISPUTE_ALREADY_OPEN', { disputeId: order.dispute.id });
  const { escrow } = order;
  return {
    ...moveOrder(order, 'dispute'),
    escrow: escrow?.status === 'FUNDED' ? moveEscrow(escrow, 'dispute') : escrow,
    dispute: newDispute(given, null, at),
  };
}

/** The other milestones continue. */
export function openMilestoneDispute(
  order: Order,
  ref: string,
  given: NewDispute,
  at: Instant,
): Order & { readonly dispute: Dispute } {
  const focused = requireOwnPayout(order, ref, 'dispute');
  return { ...disputeMilestone(focused), dispute: newDispute(given, ref, at) };
}

/** The deadlines count from the opening. Later changes of the rules do not affect the dispute. */
function newDispute(
  { rules, now, evidenceEntries = [], ...given }: NewDispute,
  milestoneRef: string | null,
  at: Instant,
): Dispute {
  const { responsePeriod, decisionPeriod, onNoResponse } = rules;
  return {
    ...given,
    assignedTo: null,
    resolution: null,
    resolvedBy: null,
    resolvedAt: null,
    status: 'OPEN',
    version: 0,
    createdAt: at,
    milestoneRef,
    respondBy: responsePeriod === null ? null : instantAfter(now, responsePeriod),
    decideBy: decisionPeriod === null ? null : instantAfter(now, decisionPeriod),
    onNoResponse,
    evidenceEntries,
    respondedAt: null,
    responseNoticedAt: null,
    decisionNoticedAt: null,
    overdueAt: null,
  };
}

export function assignDispute(order: Order, dispute: Dispute, assignedTo: string): Dispute {
  requireNoActiveRun(order, disputableIn(order));
  return { ...dispute, status: moved(disputeMoves, 'assign', dispute.status), assignedTo };
}

export type RequestedResolution = {
  readonly decision: Resolution['decision'];
  readonly release: Resolution['release'] | undefined;
  readonly refund: Resolution['refund'] | undefined;
  readonly note: string | null;
};

/** The order in its requested status, and the resolution with the shares of seller and buyer. */
export function startResolution(
  order: Order,
  dispute: Dispute,
  requested: RequestedResolution,
): { readonly after: Order; readonly resolution: Resolution } {
  requireNoActiveRun(order, disputableIn(order));
  moved(disputeMoves, 'resolve', dispute.status);
  const move = requested.decision === 'FULL_REFUND' ? 'resolveByRefund' : 'resolveByRelease';
  // A milestone keeps its status until the contract has paid it out.
  const after = order.focus === null ? moveOrder(order, move) : order;
  return { after, resolution: resolutionOf(order, requested) };
}

/** While a milestone is disputed, its order continues. */
function disputableIn({ focus }: Order): readonly OrderStatus[] {
  return focus === null ? ['DISPUTED'] : ['IN_PROGRESS'];
}

function resolutionOf(order: Order, { decision, release, refund, note }: RequestedResolution): Resolution {
  const amount = amountToSettle(order);
  if (decision === 'FULL_RELEASE') return { decision, release: amount, refund: zeroAmount(order), note };
  if (decision === 'FULL_REFUND') return { decision, release: zeroAmount(order), refund: amount, note };
  if (release === undefined || refund === undefined || !isFullSplit(order, release, refund))
    throw new AppError('INVALID_AMOUNT', { reason: `Both parts must add up to ${inDispute(order)}.` });
  return { decision, release, refund, note };
}

function inDispute({ focus, releaseMode }: Order): string {
  if (focus !== null) return 'the amount of the milestone';
  return releaseMode === 'milestone' ? 'what the order has in escrow' : 'the amount of the order';
}

export type ResolvedBy = { readonly resolution: Resolution; readonly resolvedBy: string; readonly at: Instant };

export function resolved(dispute: Dispute, { resolution, resolvedBy, at }: ResolvedBy): Dispute {
  return { ...dispute, status: moved(disputeMoves, 'settle', dispute.status), resolution, resolvedBy, resolvedAt: at };
}
