import { AppError } from '@holdfast/kernel/errors';
import type { Dispute, Milestone, Order } from './order.js';

/**
 * The order as a decision about one milestone sees it: `activeRun` and `dispute` belong to the milestone. So the saga runtime and
 * the rules of disputes serve milestones too. Saving an order ends its focus. See ADR 0106.
 */
export function focusOn(order: Order, ref: string): Order {
  const whole = unfocused(order);
  const { activeRun, disputeId } = requireMilestone(whole, ref);
  const dispute = whole.milestoneDisputes.find(({ id }) => id === disputeId) ?? null;
  return { ...whole, activeRun, dispute, focus: { ref, orderRun: whole.activeRun, orderDispute: whole.dispute } };
}

/** The whole order, with the run and the dispute of its milestone where they belong. */
export function unfocused(order: Order): Order {
  const { focus, activeRun, dispute } = order;
  if (focus === null) return order;
  const milestone = requireMilestone(order, focus.ref);
  const others = order.milestoneDisputes.filter(({ id }) => id !== dispute?.id);
  const isSame = milestone.activeRun === activeRun && milestone.disputeId === (dispute?.id ?? null);
  return {
    ...order,
    milestones: isSame ? order.milestones : withMilestone(order, { ...milestone, activeRun, disputeId: dispute?.id ?? null }),
    milestoneDisputes:
      dispute === null || order.milestoneDisputes.includes(dispute) ? order.milestoneDisputes : [...others, dispute],
    activeRun: focus.orderRun,
    dispute: focus.orderDispute,
    focus: null,
  };
}

/** A dispute of the order, and the order with its focus on what the dispute is about. */
export function disputeIn(order: Order, disputeId: string): { readonly order: Order; readonly dispute: Dispute } {
  const dispute = [order.dispute, ...order.milestoneDisputes].find((each) => each?.id === disputeId) ?? null;
  if (dispute === null) throw new AppError('DISPUTE_NOT_FOUND', { disputeId });
  return { order: dispute.milestoneRef === null ? order : focusOn(order, dispute.milestoneRef), dispute };
}

/** Focused on the milestone whose active run this is; the whole order if there is none. */
export function focusOnRun(order: Order, runId: string | undefined): Order {
  const milestone = order.milestones.find(({ activeRun }) => activeRun !== null && activeRun.runId === runId);
  return milestone === undefined ? order : focusOn(order, milestone.ref);
}

export function milestoneOf({ milestones }: Order, ref: string): Milestone | undefined {
  return milestones.find((milestone) => milestone.ref === ref);
}

export function requireMilestone(order: Order, ref: string): Milestone {
  const milestone = milestoneOf(order, ref);
  if (milestone === undefined) throw new AppError('MILESTONE_NOT_FOUND', { orderId: order.id, milestoneRef: ref });
  return milestone;
}

/** The milestone that the decision is about. */
export function focusedMilestone(order: Order): Milestone | undefined {
  return order.focus === null ? undefined : requireMilestone(order, order.focus.ref);
}

export function withMilestone({ milestones }: Order, changed: Milestone): readonly Milestone[] {
  return milestones.map((each) => (each.ref === changed.ref ? changed : each));
}
