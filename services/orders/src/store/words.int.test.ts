import { fileURLToPath } from 'node:url';
import { closeReasons, contractTypes } from '@holdfast/shared/contracts/messages';
import { currencies } from '@holdfast/shared/money';
import { messagingMigrations } from '@holdfast/shared/outbox';
import type { Database } from '@holdfast/shared/postgres';
import { testDatabase, type TestDatabase } from '@holdfast/shared/testing/postgres';
import { escrowStatuses } from '../domain/escrow-states.js';
import { orderStatuses } from '../domain/order-states.js';

let server: TestDatabase;
let database: Database;

beforeAll(async () => {
  server = await testDatabase();
  const migrations = [messagingMigrations, fileURLToPath(new URL('../../migrations', import.meta.url))];
  database = await server.open({ service: 'orders', migrations });
});

afterAll(async () => {
  await server.drop();
});

const wordsOf: Readonly<Record<string, readonly string[]>> = {
  currency: currencies,
  order_status: orderStatuses,
  close_reason: closeReasons,
  escrow_status: escrowStatuses,
  contract_type: contractTypes,
};

describe('the words that a column may hold', () => {
  it.each(Object.entries(wordsOf))('are those of the domain: %s', async (type, words) => {
    const hold = async (word: string): Promise<unknown> => database.pool.query(`select $1::${type}`, [word]);
    for (const word of words) await expect(hold(word)).resolves.toBeDefined();
    await expect(hold('SOMETHING_ELSE')).rejects.toMatchObject({ code: '23514' });
  });
});

const numbersOf = {
  amount_units: { held: ['1', '9223372036854775807'], refused: ['0', '-1'] },
  fee_basis_points: { held: ['0', '5000'], refused: ['-1', '5001'] },
};

describe('the numbers that a column may hold', () => {
  it.each(Object.entries(numbersOf))('are those of the domain: %s', async (type, { held, refused }) => {
    const hold = async (number: string): Promise<unknown> => database.pool.query(`select $1::${type}`, [number]);
    for (const number of held) await expect(hold(number)).resolves.toBeDefined();
    for (const number of refused) await expect(hold(number)).rejects.toMatchObject({ code: '23514' });
  });
});

describe('an order in the table', () => {
  const whole = { escrow_id: 'esc_1', escrow_status: 'CREATED', contract_type: 'single-release', escrow_version: 1 };
  const closed = { status: 'CLOSED', close_reason: 'CANCELED' };
  const insert = async (id: string, columns: Readonly<Record<string, unknown>>): Promise<unknown> => {
    const row = { ...anOpenRow, ...columns, id };
    const values = Object.values(row);
    const places = values.map((_, index) => `$${index + 1}`);
    return database.pool.query(`insert into orders (${Object.keys(row).join()}) values (${places.join()})`, values);
  };

  it.each([
    ['no escrow', {}],
    ['a whole escrow', whole],
    ['an operation', { operation: '{}' }],
    ['an end and its reason', closed],
  ])('may have %s', async (title, columns) => {
    await expect(insert(`ord_with ${title}`, columns)).resolves.toBeDefined();
  });

  it.each([
    ...Object.keys(whole).map(
      (column) => [`an escrow without ${column}`, { ...whole, [column]: null }, 'escrow_is_whole'] as const,
    ),
    ['an operation once it is closed', { ...closed, operation: '{}' }, 'closed_has_no_operation'],
    ['an end without a reason', { status: 'CLOSED' }, 'check1'],
    ['a reason without an end', { close_reason: 'CANCELED' }, 'check1'],
    ['one party on both sides', { seller_id: 'usr_buyer' }, 'check'],
  ] as const)('never has %s', async (title, columns, rule) => {
    const refusal = { code: '23514', constraint: `orders_${rule}` };
    await expect(insert(`ord_with ${title}`, columns)).rejects.toMatchObject(refusal);
  });
});

const anOpenRow = {
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
