import type { Milestone, Order } from '@holdfast/sdk';
import { milestoneMoves, orderMoves } from '../../generated/states.js';

export type OrderAction = 'reserve' | 'createEscrow' | 'fundEscrow' | 'release' | 'refund' | 'dispute' | 'cancel';
export type MilestoneAction = 'submit' | 'requestChanges' | 'complete' | 'release' | 'refund' | 'dispute' | 'extendReview';

type OrderState = Pick<Order, 'status' | 'operation' | 'escrow' | 'milestones'>;

/** What the platform would do with the order now. It decides itself in any case; this is what the page offers. */
export function orderActions(order: OrderState): readonly OrderAction[] {
  if (isBusy(order)) return [];
  const checks: Readonly<Record<OrderAction, boolean>> = {
    reserve: isIn(orderMoves.reserve, order.status),
    createEscrow: isIn(orderMoves.createEscrow, order.status) && order.escrow === null,
    fundEscrow: isIn(orderMoves.fund, order.status) && order.escrow !== null,
    release: isIn(orderMoves.requestRelease, order.status) && isWholeOrderFree(order) && areAllCompleted(order),
    refund: isIn(orderMoves.requestRefund, order.status) && isWholeOrderFree(order),
    dispute: isIn(orderMoves.dispute, order.status) && isWholeOrderFree(order),
    cancel: isIn(orderMoves.cancel, order.status),
  };
  return allowedOf(checks);
}

type MilestoneState = Pick<Milestone, 'status' | 'operation' | 'autoReleaseAt'>;

export function milestoneActions(
  order: OrderState & Pick<Order, 'releaseMode'>,
  milestone: MilestoneState,
): readonly MilestoneAction[] {
  if (order.status !== 'IN_PROGRESS' || order.operation !== null || milestone.operation !== null) return [];
  const { status, autoReleaseAt } = milestone;
  const isOwn = order.releaseMode === 'milestone';
  const checks: Readonly<Record<MilestoneAction, boolean>> = {
    submit: isIn(milestoneMoves.submit, status),
    complete: isIn(milestoneMoves.complete, status),
    requestChanges: isIn(milestoneMoves.requestChanges, status),
    extendReview: status === 'SUBMITTED' && autoReleaseAt !== null,
    release: isOwn && isIn(milestoneMoves.release, status),
    refund: isOwn && isIn(milestoneMoves.refund, status),
    dispute: isOwn && isIn(milestoneMoves.dispute, status),
  };
  return allowedOf(checks);
}

/** What the platform carries out on the order or on a milestone comes first. */
export function isBusy({ operation, milestones }: Pick<Order, 'operation' | 'milestones'>): boolean {
  return operation !== null || milestones.some((milestone) => milestone.operation !== null);
}

function isIn<Status extends string>(from: readonly Status[], status: Status): boolean {
  return from.includes(status);
}

/** No dispute about a milestone keeps a part of it. */
function isWholeOrderFree({ milestones }: OrderState): boolean {
  return !milestones.some(({ status }) => status === 'DISPUTED');
}

const ended: readonly Milestone['status'][] = ['COMPLETED', 'RELEASED', 'REFUNDED', 'SPLIT'];

function areAllCompleted({ milestones }: OrderState): boolean {
  return milestones.every(({ status }) => ended.includes(status));
}

function allowedOf<Action extends string>(checks: Readonly<Record<Action, boolean>>): readonly Action[] {
  const found: Action[] = [];
  for (const action in checks) if (checks[action]) found.push(action);
  return found;
}
