import { fileURLToPath } from 'node:url';
import { closeReasons, contractTypes } from '@holdfast/contracts/messages';
import { currencies } from '@holdfast/kernel/money';
import { messagingMigrations } from '@holdfast/messaging/outbox';
import type { Database } from '@holdfast/postgres';
import type { TestDatabase } from '@holdfast/testing/postgres';
import { serviceDatabase } from '@holdfast/testing/services';
import { escrowStatuses } from '../domain/escrow-states.js';
import { orderStatuses } from '../domain/order-states.js';
import { orders } from '../service.js';

let server: TestDatabase;
let database: Database;

beforeAll(async () => {
  server = await serviceDatabase(orders);
  const migrations = [messagingMigrations, fileURLToPath(new URL('../../migrations', import.meta.url))];
  database = await server.open({ service: 'orders', migrations });
});

afterAll(async () => {
  await server.drop();
});

type ColumnValues = Readonly<Record<string, unknown>>;

const anOpenOrder = {
  marketplace_id: 'mkt_default',
  buyer_id: 'usr_buyer',
  seller_id: 'usr_seller',
  amount_units: '1',
  currency: 'USD',
  status: 'IN_PROGRESS',
  title: 'Logo design',
  metadata: '{}',
  fee_basis_points: 500,
  milestones: '[]',
  version: 1,
  created_at: '2026-01-31T12:00:00.000000Z',
  updated_at: '2026-01-31T12:00:00.000000Z',
};
const completeEscrow = { escrow_id: 'esc_1', escrow_status: 'CREATED', contract_type: 'single-release', escrow_version: 1 };
const closed = { status: 'CLOSED', close_reason: 'CANCELED' };

let inserted = 0;

async function insertOrder(columns: ColumnValues): Promise<unknown> {
  inserted += 1;
  const row = { ...anOpenOrder, ...columns, id: `ord_${inserted}` };
  const values = Object.values(row);
  const places = values.map((_, index) => `$${index + 1}`);
  return database.pool.query(`insert into orders (${Object.keys(row).join()}) values (${places.join()})`, values);
}

describe('a column of an order', () => {
  it.each([
    ['currency', currencies, {}],
    ['status', orderStatuses.filter((status) => status !== 'CLOSED'), {}],
    ['close_reason', closeReasons, closed],
    ['escrow_status', escrowStatuses, completeEscrow],
    ['contract_type', contractTypes, completeEscrow],
    ['amount_units', ['1', '9223372036854775807'], {}],
    ['fee_basis_points', ['0', '5000'], {}],
  ] as const)('%s accepts the values of the domain', async (column, values, others: ColumnValues) => {
    for (const value of values) await expect(insertOrder({ ...others, [column]: value })).resolves.toBeDefined();
  });

  it.each([
    ['currency', 'EUR', {}, 'currency_check'],
    ['status', 'LOST', {}, 'order_status_check'],
    ['close_reason', 'LOST', closed, 'close_reason_check'],
    ['escrow_status', 'LOST', completeEscrow, 'escrow_status_check'],
    ['contract_type', 'LOST', completeEscrow, 'contract_type_check'],
    ['release_mode', 'LOST', {}, 'release_mode_check'],
    ['on_not_delivered', 'LOST', {}, 'rule_of_delivery_check'],
    ['amount_units', '0', {}, 'orders_amount_units_check'],
    ['amount_units', '-1', {}, 'orders_amount_units_check'],
    ['fee_basis_points', '-1', {}, 'orders_fee_basis_points_check'],
    ['fee_basis_points', '5001', {}, 'orders_fee_basis_points_check'],
  ] as const)('%s rejects %s', async (column, value, others: ColumnValues, constraint) => {
    const refusal = { code: '23514', constraint };
    await expect(insertOrder({ ...others, [column]: value })).rejects.toMatchObject(refusal);
  });
});

describe('an order in the table', () => {
  it.each([
    ['no escrow', {}],
    ['a complete escrow', completeEscrow],
    ['an active run', { active_run: '{}' }],
    ['status CLOSED with a reason', closed],
  ])('may have %s', async (_, columns) => {
    await expect(insertOrder(columns)).resolves.toBeDefined();
  });

  it.each([
    ...Object.keys(completeEscrow).map(
      (column) => [`an escrow without ${column}`, { ...completeEscrow, [column]: null }, 'escrow_is_complete'] as const,
    ),
    ['an active run once it is closed', { ...closed, active_run: '{}' }, 'closed_has_no_active_run'],
    ['status CLOSED without a reason', { status: 'CLOSED' }, 'closed_has_reason'],
    ['a close reason in another status', { close_reason: 'CANCELED' }, 'closed_has_reason'],
    ['the same user as buyer and seller', { seller_id: 'usr_buyer' }, 'parties_differ'],
  ] as const)('never has %s', async (_, columns, rule) => {
    await expect(insertOrder(columns)).rejects.toMatchObject({ code: '23514', constraint: `orders_${rule}` });
  });
});

describe('the role of the service', () => {
  it.each([
    'delete from orders',
    'delete from disputes',
    'delete from dispute_comments',
    `update dispute_comments set text = 'something else'`,
    'truncate orders',
    'drop table orders',
  ])('may not %s', async (sql) => {
    await expect(database.pool.query(sql)).rejects.toMatchObject({ code: '42501' });
  });
});
