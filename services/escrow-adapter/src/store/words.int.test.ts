import { fileURLToPath } from 'node:url';
import { currencies, custodyAssets } from '@holdfast/shared/money';
import { messagingMigrations } from '@holdfast/shared/outbox';
import type { Database } from '@holdfast/shared/postgres';
import { testDatabase, type TestDatabase } from '@holdfast/shared/testing/postgres';
import { contractStatuses } from '../domain/contract-states.js';
import { contractTypes } from '../domain/contract.js';

let server: TestDatabase;
let database: Database;

beforeAll(async () => {
  server = await testDatabase();
  const migrations = [messagingMigrations, fileURLToPath(new URL('../../migrations', import.meta.url))];
  database = await server.open({ service: 'escrow-adapter', migrations });
});

afterAll(async () => {
  await server.drop();
});

const wordsOf: Readonly<Record<string, readonly string[]>> = {
  contract_type: contractTypes,
  currency: currencies,
  contract_status: contractStatuses,
  transaction_state: ['OPEN', 'LANDED', 'FAILED', 'DEAD'],
  asset: custodyAssets,
};

describe('the words that a column may hold', () => {
  it.each(Object.entries(wordsOf))('are those of the domain: %s', async (type, words) => {
    const hold = async (word: string): Promise<unknown> => database.pool.query(`select $1::${type}`, [word]);
    for (const word of words) await expect(hold(word)).resolves.toBeDefined();
    await expect(hold('SOMETHING_ELSE')).rejects.toMatchObject({ code: '23514' });
  });
});

const hash = 'a1'.repeat(32);
const valuesOf = {
  amount_units: { held: ['1', '9223372036854775807'], refused: ['0', '-1'] },
  fee_basis_points: { held: ['0', '9900'], refused: ['-1', '9901'] },
  sha256: { held: [hash], refused: ['', hash.slice(1), `${hash}0`, hash.toUpperCase(), `${hash}\n`] },
};

describe('the values that a column may hold', () => {
  it.each(Object.entries(valuesOf))('are those of the domain: %s', async (type, { held, refused }) => {
    const hold = async (value: string): Promise<unknown> => database.pool.query(`select $1::${type}`, [value]);
    for (const value of held) await expect(hold(value)).resolves.toBeDefined();
    for (const value of refused) await expect(hold(value)).rejects.toMatchObject({ code: '23514' });
  });
});

describe('a contract in the table', () => {
  const insert = async (status: string, contractId: string | null): Promise<unknown> =>
    database.pool.query(
      `insert into contracts (
        escrow_id, order_id, marketplace_id, contract_type, amount_units, currency, buyer_id, seller_id, title, description,
        platform_fee_basis_points, milestones, status, contract_id, created_at
      )
      values ($1, 'ord_1', 'mkt_default', 'single-release', 1, 'USDC', 'usr_1', 'usr_2', '', '', 500, '[]', $2, $3, now())`,
      [`esc_${status} ${contractId ?? ''}`, status, contractId],
    );

  it.each(contractStatuses)('may be %s once the network knows it', async (status) => {
    await expect(insert(status, `C ${status}`)).resolves.toBeDefined();
  });

  it.each(['REQUESTED', 'FAILED'])('may be %s before', async (status) => {
    await expect(insert(status, null)).resolves.toBeDefined();
  });

  it.each(['CREATED', 'FUNDED', 'SETTLED'])('is never %s before', async (status) => {
    await expect(insert(status, null)).rejects.toMatchObject({ code: '23514', constraint: 'contracts_check' });
  });
});
