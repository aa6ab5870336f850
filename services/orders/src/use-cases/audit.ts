import type { AuditFact } from '@holdfast/contracts/messages';
import type { Order } from '../domain/order.js';
import type { OrderStatus } from '../domain/order-states.js';
import type { Origin } from './origin.js';

type State = Readonly<Record<string, unknown>>;

/** An audit entry about an order before it is published as audit.recorded. */
export type NewAuditEntry = {
  readonly action: string;
  readonly result?: 'FAILURE';
  readonly reason?: string | null;
  readonly before: State | null;
  readonly after: State | null;
};

/** One entry for each status that the order enters. */
export function statusEntries(
  before: Pick<Order, 'status'> | null,
  statuses: readonly OrderStatus[],
  reason?: string | null,
): readonly NewAuditEntry[] {
  return statuses.map((status, index) => {
    const previous = statuses[index - 1] ?? before?.status;
    return {
      action: status,
      before: previous === undefined ? null : { status: previous },
      after: { status },
      ...(reason === undefined ? {} : { reason }),
    };
  });
}

/** An attempt that failed, with the status of the order before and after it. */
export function failureEntry(action: string, before: Order, after: Order, reason: string): NewAuditEntry {
  return { action, result: 'FAILURE', reason, before: { status: before.status }, after: { status: after.status } };
}

export function auditFactOf(order: Pick<Order, 'id'>, entry: NewAuditEntry, { actor, at }: Origin): AuditFact {
  return {
    action: entry.action,
    resourceType: 'Order',
    resourceId: order.id,
    actorType: actor.type,
    actorId: actor.id,
    result: entry.result ?? 'SUCCESS',
    reason: entry.reason ?? null,
    before: entry.before,
    after: entry.after,
    recordedAt: at,
  };
}
