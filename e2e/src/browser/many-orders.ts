import { findRunning } from '@holdfast/all-in-one';
import { connectDatabase } from '@holdfast/postgres';
import { silentLog } from '@holdfast/testing/log';
import type { PlatformFacts } from '../testing/provide-platform.js';

/** Copies of an order, each with its own id and a time before the order's. */
const copyOrder = `
  insert into orders.orders
  select (jsonb_populate_record(original, jsonb_build_object(
    'id', left(original.id, 10) || upper(lpad(to_hex(copy), 20, '0')),
    'client_order_ref', null,
    'title', 'Order ' || copy,
    'created_at', original.created_at - copy * interval '1 second'
  ))).*
  from orders.orders as original, generate_series(1, $2::integer) as copy
  where original.id = $1`;

/** Writes so many orders at once: through the API it would take hours. */
export async function writeOrders({ dataDir, internalSecret }: PlatformFacts, orderId: string, count: number): Promise<void> {
  const adminUrl = findRunning(dataDir)?.databaseUrl ?? '';
  const database = await connectDatabase({ adminUrl, service: 'orders', internalSecret, poolMax: 1, log: silentLog });
  try {
    await database.lists.query(copyOrder, [orderId, count]);
    await database.lists.query('analyze orders.orders', []);
  } finally {
    await database.close();
  }
}
