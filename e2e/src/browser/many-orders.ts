import { findRunning } from '@holdfast/all-in-one';
import { connectDatabase } from '@holdfast/postgres';
import { silentLog } from '@holdfast/testing/log';
import type { PlatformFacts } from '../testing/provide-platform.js';

/** Copies of an order, each with its own id and a time before the order's. */
const copyOrder = `
  insert into orders.orders
  select (jsonb_populate_record(original, jsonb_build_object(
    'id', left(original.id, 5) || right(original.id, 15) || upper(lpad(to_hex(copy), 10, '0')),
    'client_order_ref', null,
    'title', 'Order ' || copy,
    'created_at', original.created_at - copy * interval '1 second'
  ))).*
  from orders.orders as original, generate_series($2::integer, $3::integer) as copy
  where original.id = $1`;

/** Within the time limit of a statement. */
const perStatement = 5_000;

/** Writes so many orders at once: through the API it would take hours. */
export async function writeOrders({ dataDir, internalSecret }: PlatformFacts, orderId: string, count: number): Promise<void> {
  const adminUrl = findRunning(dataDir)?.databaseUrl ?? '';
  const database = await connectDatabase({ adminUrl, service: 'orders', internalSecret, poolMax: 1, log: silentLog });
  try {
    for (let from = 1; from <= count; from += perStatement)
      await database.lists.query(copyOrder, [orderId, from, Math.min(count, from + perStatement - 1)]);
  } finally {
    await database.close();
  }
}
