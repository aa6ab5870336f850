import type { Context } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import type { OrderId } from '@holdfast/kernel/ids';
import type { Order } from '../domain/order.js';
import type { Deps } from './ports.js';

/** An order of another marketplace is not found. */
export async function getOrder(deps: Pick<Deps, 'orders'>, { id }: { readonly id: OrderId }, ctx: Context): Promise<Order> {
  const order = await deps.orders.find(ctx.caller.marketplaceId, id);
  if (order === undefined) throw new AppError('ORDER_NOT_FOUND', { orderId: id });
  return order;
}
