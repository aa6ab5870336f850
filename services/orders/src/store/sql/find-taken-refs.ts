import { unnestRows } from '@holdfast/postgres';
import { orders } from '../schema.js';

export const givenRefs = unnestRows(orders.columns, ['marketplaceId', 'clientOrderRef']);

/** The orders that already have one of these client references. */
export const findTakenRefs = {
  name: 'find-taken-refs',
  text: `
  select orders.id, orders.marketplace_id as "marketplaceId", orders.client_order_ref as "clientOrderRef"
  from ${givenRefs.from}
  join orders on orders.marketplace_id = given.marketplace_id and orders.client_order_ref = given.client_order_ref`,
};
