import type { Instant } from '@holdfast/kernel/context';
import type {
  milestoneChangesRequested,
  milestoneDisputed,
  milestoneReleaseDueSoon,
  milestoneReviewExtended,
  milestoneSubmitted,
} from '@holdfast/contracts/messages';
import type { Change, Event, NewAuditEntry } from '@holdfast/sagas';
import { requireMilestone } from '../domain/focus.js';
import type { Order } from '../domain/order.js';

type ChangeEvent =
  | typeof milestoneChangesRequested
  | typeof milestoneDisputed
  | typeof milestoneReleaseDueSoon
  | typeof milestoneReviewExtended
  | typeof milestoneSubmitted;

type Changed = { readonly ref: string; readonly at: Instant; readonly cause?: 'outage' };

/** The event about a milestone that has just changed. A running review has its end in the event. */
export function milestoneEvent<M extends ChangeEvent>(
  declaration: M,
  order: Order,
  { ref, at, cause }: Changed,
): Event<M['type']> {
  const { status, autoReleaseAt } = requireMilestone(order, ref);
  const due = autoReleaseAt === null ? {} : { dueAt: autoReleaseAt };
  const caused = cause === undefined ? {} : { cause };
  const payload = { orderId: order.id, milestoneRef: ref, milestoneStatus: status, at, ...due, ...caused };
  return { declaration, payload };
}

type Described = {
  readonly ref: string;
  readonly action: string;
  readonly declaration: ChangeEvent;
  readonly reason?: string | undefined;
  readonly cause?: 'outage';
  /** In the time of the marketplace. */
  readonly at: Instant;
};

/** The change with its event and its audit entry. */
export function describedChange(before: Order, after: Order, described: Described): Change<Order> {
  const { ref, action, declaration, reason, cause, at } = described;
  const stateOf = (order: Order) => {
    const { status, autoReleaseAt } = requireMilestone(order, ref);
    return { milestoneRef: ref, status, autoReleaseAt };
  };
  const entry: NewAuditEntry = {
    action,
    reason: reason ?? null,
    before: stateOf(before),
    after: stateOf(after),
    reports: declaration.type,
  };
  const event = milestoneEvent(declaration, after, { ref, at, ...(cause === undefined ? {} : { cause }) });
  return { after, events: [event], auditEntries: [entry] };
}
