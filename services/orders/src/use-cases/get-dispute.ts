import type { Context } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import type { DisputeId } from '@holdfast/kernel/ids';
import type { Order } from '../domain/order.js';
import type { Deps } from './ports.js';

/** The disputed order. A dispute of another marketplace is not found. */
export async function getDispute(deps: Deps, { id }: { readonly id: DisputeId }, ctx: Context): Promise<Order> {
  const order = await deps.disputes.find(ctx.caller.marketplaceId, id);
  if (order === undefined) throw new AppError('DISPUTE_NOT_FOUND', { disputeId: id });
  return order;
}
