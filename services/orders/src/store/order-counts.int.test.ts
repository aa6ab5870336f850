import { fileURLToPath } from 'node:url';
import { messagingMigrations } from '@holdfast/messaging/outbox';
import type { Database } from '@holdfast/postgres';
import type { TestDatabase } from '@holdfast/testing/postgres';
import { serviceDatabase } from '@holdfast/testing/services';
import { orders } from '../service.js';
import { countOrders } from './order-counts.js';
import { entities } from './schema.js';

let server: TestDatabase;
let database: Database;

beforeAll(async () => {
  server = await serviceDatabase(orders);
  const migrations = [messagingMigrations, fileURLToPath(new URL('../../migrations', import.meta.url))];
  database = await server.open({ service: 'orders', migrations, entities });
});

afterAll(async () => {
  await server.drop();
});

async function insertOrder(id: string, status: string, closeReason: string | null = null): Promise<void> {
  await database.pool.query(
    `insert into orders (id, marketplace_id, buyer_id, seller_id, amount_units, currency, status, close_reason, title, metadata,
      fee_basis_points, milestones, version, created_at, updated_at)
    values ($1, 'mkt_default', 'usr_buyer', 'usr_seller', 50000000, 'USD', $2, $3, 'Logo', '{}', 500, '[]', 1, now(), now())`,
    [id, status, closeReason],
  );
}

describe('the counts of orders', () => {
  it('are exact for open orders, with their amounts, and estimated for closed ones', async () => {
    expect(await countOrders(database)).toEqual({ open: [], closed: 0, openDisputes: 0 });
    for (const id of ['ord_1', 'ord_2']) await insertOrder(id, 'ORDER_CREATED');
    await insertOrder('ord_3', 'CLOSED', 'CANCELED');
    await server.asAdmin('analyze orders.orders');
    expect(await countOrders(database)).toEqual({
      open: [{ status: 'ORDER_CREATED', currency: 'USD', count: 2, units: 100_000_000n }],
      closed: 1,
      openDisputes: 0,
    });
  });
});
