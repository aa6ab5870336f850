import { Not } from 'typeorm';
import type { Currency } from '@holdfast/kernel/money';
import type { Database } from '@holdfast/postgres';
import type { OrderStatus } from '../domain/order-states.js';
import { disputes } from './schema.js';

type Group = { readonly status: OrderStatus; readonly currency: Currency; readonly count: number; readonly units: bigint };

export type OrderCounts = {
  /** Of orders that are not closed. */
  readonly open: readonly Group[];
  readonly closed: number;
  readonly openDisputes: number;
};

const countOpen = `
  select status, currency, count(*)::integer as count, sum(amount_units)::bigint as units
  from orders
  where status <> 'CLOSED'
  group by status, currency`;

// Millions of closed orders are not counted every minute: the statistics of the table say how many rows there are.
const estimateAll = `
  select greatest(reltuples, 0)::float8 as orders
  from pg_class
  where oid = 'orders'::regclass`;

/** Reads indexes of what is open only. */
export async function countOrders({ lists }: Pick<Database, 'lists'>): Promise<OrderCounts> {
  const [open, all, openDisputes] = await Promise.all([
    lists.query<Group>(countOpen),
    lists.query<{ readonly orders: number }>(estimateAll),
    lists.manager.countBy(disputes.entity, { status: Not('RESOLVED' as const) }),
  ]);
  const openOrders = open.rows.reduce((sum, { count }) => sum + count, 0);
  return {
    open: open.rows,
    closed: Math.max(0, Math.round(all.rows[0]?.orders ?? 0) - openOrders),
    openDisputes,
  };
}
