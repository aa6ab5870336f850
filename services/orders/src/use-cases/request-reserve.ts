import type { Context } from '@holdfast/shared/context';
import type { OrderRecord } from '@holdfast/shared/contracts/http';
import type { OrderId } from '@holdfast/shared/ids';
import { demandMove } from '../domain/moving.js';
import { lockedOrder, operate } from './operation.js';
import type { Deps } from './ports.js';

/** The order stays ORDER_CREATED until the ledger has answered. */
export function requestReserve(deps: Deps, { id }: { readonly id: OrderId }, ctx: Context): Promise<OrderRecord> {
  return operate(deps, 'reserve', ctx, async (tx) => {
    const order = await lockedOrder(tx, ctx.caller.marketplaceId, id);
    demandMove(order, 'reserve');
    return { order, beginning: { after: order, events: [], audits: [] } };
  });
}
