import * as message from '@holdfast/contracts/messages';
import type { NewAuditEntry } from '@holdfast/sagas';
import type { Order } from '../domain/order.js';
import type { OrderStatus } from '../domain/order-states.js';

/** The event that reports a status which the order enters. */
const statusEvents = {
  ORDER_CREATED: message.orderCreated,
  FUNDS_RESERVED: message.orderFundsReserved,
  ESCROW_CREATING: message.orderEscrowCreating,
  ESCROW_FUNDING: message.orderEscrowFunding,
  IN_PROGRESS: message.orderInProgress,
  RELEASE_REQUESTED: message.orderReleaseRequested,
  RELEASED: message.orderReleased,
  REFUND_REQUESTED: message.orderRefundRequested,
  REFUNDED: message.orderRefunded,
  DISPUTED: message.orderDisputed,
  CLOSED: message.orderClosed,
} satisfies Record<OrderStatus, message.MessageDeclaration>;

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
      reports: statusEvents[status].type,
      ...(reason === undefined ? {} : { reason }),
    };
  });
}

/** An attempt that failed, with the status of the order before and after it. */
export function failureEntry(action: string, before: Order, after: Order, reason: string): NewAuditEntry {
  return { action, result: 'FAILURE', reason, before: { status: before.status }, after: { status: after.status } };
}
