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
