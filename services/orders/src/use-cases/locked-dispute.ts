import { AppError } from '@holdfast/shared/errors';
import type { DisputeId, MarketplaceId } from '@holdfast/shared/ids';
import type { Dispute, Order } from '../domain/order.js';
import type { Work } from './ports.js';

/** The dispute with its order, held until the transaction ends. DISPUTE_NOT_FOUND where the marketplace has none. */
export async function lockedDispute(
  tx: Work,
  marketplaceId: MarketplaceId,
  disputeId: DisputeId,
): Promise<{ readonly order: Order; readonly dispute: Dispute }> {
  const order = await tx.orders.lockDisputed(marketplaceId, disputeId);
  if (order?.dispute?.id !== disputeId) throw new AppError('DISPUTE_NOT_FOUND', { disputeId });
  return { order, dispute: order.dispute };
}
