import type { Context } from '@holdfast/kernel/context';
import type { OrderRecord } from '@holdfast/contracts/http';
import { AppError, isAppError } from '@holdfast/kernel/errors';
import type { EscrowId, UserId } from '@holdfast/kernel/ids';
import type { Deps } from './ports.js';
import { requestRelease } from './request-release.js';

export type ReleaseEscrow = { readonly escrowId: EscrowId; readonly buyerId: UserId };

/** Releases the order of an escrow for its buyer. */
export async function releaseEscrow(deps: Deps, { escrowId, buyerId }: ReleaseEscrow, ctx: Context): Promise<OrderRecord> {
  const order = await deps.orders.findByEscrow(ctx.caller.marketplaceId, escrowId);
  if (order === undefined) throw new AppError('ESCROW_NOT_FOUND', { escrowId });
  if (order.buyerId !== buyerId) throw new AppError('UNAUTHORIZED', {}, { message: 'Only the buyer can release' });
  return requestRelease(deps, { orderId: order.id }, ctx).catch((error: unknown) => {
    // A disputed escrow is one that cannot be released, like any other.
    throw isAppError(error, 'DISPUTE_ALREADY_OPEN') ? new AppError('INVALID_STATE', error.details, { cause: error }) : error;
  });
}
