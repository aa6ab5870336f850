import type { Instant } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import { moved } from '@holdfast/kernel/states';
import { disputeMoves } from './dispute-states.js';
import { moveEscrow } from './escrow.js';
import { requireNoActiveRun, requireMove, moveOrder } from './move-order.js';
import type { Dispute, DisputeRules, Order, Resolution } from './order.js';
import { isFullSplit, zeroAmount } from './payout-shares.js';

export type NewDispute = Pick<Dispute, 'id' | 'openedBy' | 'reason' | 'evidence'>;

/** Of a marketplace that has never decided. */
export const noDisputeRules: DisputeRules = { responsePeriod: null, decisionPeriod: null, onNoResponse: 'none' };

export function isUnresolved(dispute: Dispute | null): dispute is Dispute {
  return dispute !== null && dispute.status !== 'RESOLVED';
}

/** Opening a dispute sends nothing to the ledger network. The contract may already be disputed there. */
export function openDispute(order: Order, given: NewDispute, at: Instant): Order & { readonly dispute: Dispute } {
  requireMove(order, 'dispute');
  if (isUnresolved(order.dispute)) throw new AppError('DISPUTE_ALREADY_OPEN', { disputeId: order.dispute.id });
  const { escrow } = order;
  const undecided = { assignedTo: null, resolution: null, resolvedBy: null, resolvedAt: null };
  const dispute: Dispute = { ...given, ...undecided, status: 'OPEN', version: 0, createdAt: at };
  return {
    ...moveOrder(order, 'dispute'),
    escrow: escrow?.status === 'FUNDED' ? moveEscrow(escrow, 'dispute') : escrow,
    dispute,
  };
}

export function assignDispute(order: Order, dispute: Dispute, assignedTo: string): Dispute {
  requireNoActiveRun(order, ['DISPUTED']);
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
  requireNoActiveRun(order, ['DISPUTED']);
  moved(disputeMoves, 'resolve', dispute.status);
  const after = moveOrder(order, requested.decision === 'FULL_REFUND' ? 'resolveByRefund' : 'resolveByRelease');
  return { after, resolution: resolutionOf(order, requested) };
}

function resolutionOf(order: Order, { decision, release, refund, note }: RequestedResolution): Resolution {
  if (decision === 'FULL_RELEASE') return { decision, release: order.amount, refund: zeroAmount(order), note };
  if (decision === 'FULL_REFUND') return { decision, release: zeroAmount(order), refund: order.amount, note };
  if (release === undefined || refund === undefined || !isFullSplit(order, release, refund))
    throw new AppError('INVALID_AMOUNT', { reason: 'Both parts must add up to the amount of the order.' });
  return { decision, release, refund, note };
}

export type ResolvedBy = { readonly resolution: Resolution; readonly resolvedBy: string; readonly at: Instant };

export function resolved(dispute: Dispute, { resolution, resolvedBy, at }: ResolvedBy): Dispute {
  return { ...dispute, status: moved(disputeMoves, 'settle', dispute.status), resolution, resolvedBy, resolvedAt: at };
}
