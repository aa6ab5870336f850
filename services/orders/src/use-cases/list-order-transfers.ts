import type { OrderTransfer } from '@holdfast/contracts/http';
import type { Context } from '@holdfast/kernel/context';
import type { OrderId } from '@holdfast/kernel/ids';
import type { Page, PageFilter } from '@holdfast/kernel/pages';
import { getOrder } from './get-order.js';
import type { Deps } from './ports.js';

/** What the journal has booked for an order of the caller's marketplace. */
export async function listOrderTransfers(
  deps: Deps,
  { id, ...filter }: PageFilter & { readonly id: OrderId },
  ctx: Context,
): Promise<Page<OrderTransfer>> {
  await getOrder(deps, { id }, ctx);
  return deps.transfers.ofOrder(id, filter, ctx);
}
