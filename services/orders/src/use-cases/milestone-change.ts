import { escrowMilestoneCompleted } from '@holdfast/contracts/messages';
import { formatMoney } from '@holdfast/kernel/money';
import { event, type Change } from '@holdfast/sagas';
import { escrowOf } from '../domain/escrow.js';
import { milestoneOf } from '../domain/focus.js';
import type { Order } from '../domain/order.js';

/** The change with the event and the audit entry of a milestone that was just completed. */
export function milestoneChange(before: Order, after: Order, ref: string): Change<Order> {
  const milestone = milestoneOf(after, ref);
  if (milestone === undefined || milestone.completedAt === null) return { after, events: [], auditEntries: [] };
  const payload = {
    escrowId: escrowOf(after).id,
    orderId: after.id,
    milestoneRef: ref,
    milestoneTitle: milestone.title,
    amount: formatMoney(milestone.amount),
    completedAt: milestone.completedAt,
  };
  const auditEntry = {
    action: 'MILESTONE_COMPLETED',
    before: { milestoneRef: ref, status: milestoneOf(before, ref)?.status ?? 'OPEN' },
    after: { milestoneRef: ref, status: milestone.status },
    reports: escrowMilestoneCompleted.type,
  };
  return { after, events: [event(escrowMilestoneCompleted, payload)], auditEntries: [auditEntry] };
}
