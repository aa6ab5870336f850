import type { Context } from '@holdfast/kernel/context';
import { pageOf, type Page } from '@holdfast/kernel/pages';
import type { Order } from '../domain/order.js';
import type { Deps, OrderFilter } from './ports.js';

export function listOrders(deps: Deps, filter: OrderFilter, ctx: Context): Promise<Page<Order>> {
  return pageOf(filter.limit, deps.orders.list(ctx.caller.marketplaceId, filter));
}
