/** The orders that already have one of these client references. */
export const findTakenRefs = {
  name: 'find-taken-refs',
  text: `
  select orders.id, orders.marketplace_id as "marketplaceId", orders.client_order_ref as "clientOrderRef"
  from unnest($1::text[], $2::text[]) as given (marketplace_id, client_order_ref)
  join orders on orders.marketplace_id = given.marketplace_id and orders.client_order_ref = given.client_order_ref`,
};
