import { AppError } from '@holdfast/kernel/errors';
import type { DisputeId } from '@holdfast/kernel/ids';
import type { Dispute, Order } from '../domain/order.js';

/** Throws DISPUTE_NOT_FOUND if the order has another dispute by now. */
export function requireDispute({ dispute }: Order, disputeId: DisputeId): Dispute {
  if (dispute?.id !== disputeId) throw new AppError('DISPUTE_NOT_FOUND', { disputeId });
  return dispute;
}
