import { AppError } from '@holdfast/kernel/errors';
import type { DisputeId, OrderId } from '@holdfast/kernel/ids';
import type { Dispute } from '../domain/order.js';
import type { LockedOrder } from './ports.js';

/** Throws ORDER_NOT_FOUND if the marketplace has no such order. */
export function requireOrder(locked: LockedOrder | undefined, orderId: OrderId): LockedOrder {
  if (locked === undefined) throw new AppError('ORDER_NOT_FOUND', { orderId });
  return locked;
}

/** Throws DISPUTE_NOT_FOUND if the marketplace has no such dispute. */
export function requireDispute(
  locked: LockedOrder | undefined,
  disputeId: DisputeId,
): Pick<LockedOrder, 'order' | 'isStopped'> & { readonly dispute: Dispute } {
  const dispute = locked?.order.dispute;
  if (locked === undefined || dispute?.id !== disputeId) throw new AppError('DISPUTE_NOT_FOUND', { disputeId });
  return { order: locked.order, isStopped: locked.isStopped, dispute };
}
