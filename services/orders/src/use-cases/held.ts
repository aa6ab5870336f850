import { AppError } from '@holdfast/shared/errors';
import type { DisputeId, OrderId } from '@holdfast/shared/ids';
import type { Dispute } from '../domain/order.js';
import type { Held } from './ports.js';

/** ORDER_NOT_FOUND where the marketplace has no such order. */
export function heldOrder(held: Held | undefined, orderId: OrderId): Held {
  if (held === undefined) throw new AppError('ORDER_NOT_FOUND', { orderId });
  return held;
}

/** The dispute with its order. DISPUTE_NOT_FOUND where the marketplace has none. */
export function disputedIn(held: Held | undefined, disputeId: DisputeId): Pick<Held, 'order'> & { readonly dispute: Dispute } {
  const dispute = held?.order.dispute;
  if (held === undefined || dispute?.id !== disputeId) throw new AppError('DISPUTE_NOT_FOUND', { disputeId });
  return { order: held.order, dispute };
}
