import { fileURLToPath } from 'node:url';

import { messagingMigrations } from '@holdfast/shared/outbox';
import type { Database } from '@holdfast/shared/postgres';
import { testDatabase, type TestDatabase } from '@holdfast/shared/testing/postgres';
import { accountKinds, accountParts } from '../domain/accounts.js';
import { holdKinds } from '../domain/reservations.js';

let server: TestDatabase;
let database: Database;

beforeAll(async () => {
  server = await testDatabase();
  const migrations = [messagingMigrations, fileURLToPath(new URL('../../migrations', import.meta.url))];
  database = await server.open({ service: 'ledger-balance', migrations });
});

afterAll(async () => {
  await server.drop();
});

const wordsOf: Readonly<Record<string, readonly string[]>> = {
  account_kind: [...accountKinds, 'chain'],
  leg_part: accountParts,
  reservation_kind: holdKinds,
};

describe('the words that a column may hold', () => {
  it.each(Object.entries(wordsOf))('are those of the domain: %s', async (type, words) => {
    const hold = async (word: string): Promise<unknown> => database.pool.query(`select $1::${type}`, [word]);
    for (const word of words) await expect(hold(word)).resolves.toBeDefined();
    await expect(hold('SOMETHING_ELSE')).rejects.toMatchObject({ code: '23514' });
  });
});
