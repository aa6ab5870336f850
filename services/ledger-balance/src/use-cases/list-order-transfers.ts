import type { OrderTransfer } from '@holdfast/contracts/http';
import type { Context } from '@holdfast/kernel/context';
import { pageOf, type Page, type PageFilter } from '@holdfast/kernel/pages';
import type { Deps } from './ports.js';

/** Whether the order exists is not known here: an unknown one has no transfers. */
export function listOrderTransfers(
  deps: Deps,
  { id, ...filter }: PageFilter & { readonly id: string },
  { caller }: Context,
): Promise<Page<OrderTransfer>> {
  return pageOf(filter.limit, deps.journal.transfersOfOrder(caller.marketplaceId, id, filter));
}
