import * as message from '@holdfast/contracts/messages';
import type { OrderId } from '@holdfast/kernel/ids';
import { completeMilestone } from '../use-cases/complete-milestone.js';
import { disputeMilestone } from '../use-cases/dispute-milestone.js';
import { extendMilestoneReview } from '../use-cases/extend-milestone-review.js';
import type { CreateOrder } from '../use-cases/new-order.js';
import { requestMilestoneChanges } from '../use-cases/request-milestone-changes.js';
import { requestMilestoneRefund } from '../use-cases/request-milestone-refund.js';
import { requestMilestoneRelease } from '../use-cases/request-milestone-release.js';
import { submitMilestone } from '../use-cases/submit-milestone.js';
import { stepsUntil, type MemoryOrders } from './memory-orders.js';
import { reply, type Responder } from './simulated-services.js';

/** They add up to 100.00. */
export const threeMilestones = [
  { ref: 'a', title: 'Draft', amount: '30.01' },
  { ref: 'b', title: 'Changes', amount: '30.01' },
  { ref: 'c', title: 'Print', amount: '39.98' },
];

/** An order of three milestones that is IN_PROGRESS and paid milestone by milestone. */
export async function anOrderOfThree(orders: MemoryOrders, given: Partial<CreateOrder> = {}) {
  const terms = { milestones: threeMilestones, releaseMode: 'milestone' } as const;
  const { id } = await orders.anOrderAfter(stepsUntil.inProgress, { ...terms, ...given });
  return callsOn(orders, id);
}

/** The calls on the milestones of an order, and what came of them. */
function callsOn(orders: MemoryOrders, id: OrderId) {
  const by = () => orders.by();
  return {
    id,
    submit: (ref: string, evidence?: { text: string }) => submitMilestone(orders.deps, { id, ref, evidence }, by()),
    complete: (ref: string) => completeMilestone(orders.deps, { id, ref }, by()),
    change: (ref: string) => requestMilestoneChanges(orders.deps, { id, ref, reason: 'too small' }, by()),
    extend: (ref: string, until: `${string}Z`) => extendMilestoneReview(orders.deps, { id, ref, until }, by()),
    release: (ref: string) => requestMilestoneRelease(orders.deps, { id, ref }, by()),
    refund: (ref: string) => requestMilestoneRefund(orders.deps, { id, ref, reason: 'late' }, by()),
    dispute: (ref: string) => disputeMilestone(orders.deps, { id, ref, openedBy: 'BUYER', reason: 'QUALITY_ISSUE' }, by()),
    now: () => orders.orderNow(id),
    events: () => orders.eventsOf(id).map(({ type }) => type),
    audits: () => orders.auditsOf(id).map(({ action }) => action),
    /** What replies to the next settlement; by default nothing does. */
    silently: (responder: Responder = () => []) =>
      orders.simulated.replyNextWith(id, message.escrowSettlementRequested, responder),
  };
}

/** The contract could not pay. */
export const fails: Responder = ({ escrowId, orderId }) => [
  reply(message.escrowSettlementFailed, { escrowId, orderId, reason: 'the network is down', isDisputed: false }),
];
