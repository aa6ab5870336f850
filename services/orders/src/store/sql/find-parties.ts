import type { Party } from '../../domain/escrow.js';
import type { Order } from '../../domain/order.js';

export type PartyRow = { readonly id: string; readonly status: string };

export const findParties = {
  name: 'find-parties',
  text: `
  select id, status
  from users
  where id = any($1)`,
};

/** Whoever made the order was known by then, so nobody is missing here; somebody who were would not count as active. */
export function toParties({ buyerId, sellerId }: Order, rows: readonly PartyRow[]): readonly Party[] {
  const active = new Set(rows.filter(({ status }) => status === 'ACTIVE').map(({ id }) => id));
  return [buyerId, sellerId].map((id) => ({ id, isActive: active.has(id) }));
}
