import type { TestDatabase } from '@holdfast/testing/postgres';
import { serviceDatabase } from '@holdfast/testing/services';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { payments } from '../service.js';

let server: TestDatabase;
beforeAll(async () => {
  server = await serviceDatabase(payments);
}, serverStartTimeoutMs);
afterAll(() => server.drop());

const tables = [
  'payment_accounts',
  'payment_resolutions',
  'provider_events',
  'reconciliation_cases',
  'reconciliation_reports',
  'topups',
  'withdrawals',
] as const;

describe('the entities of the service', () => {
  it('are its tables', () => {
    expect(payments.entities.map(({ options }) => options.tableName).toSorted()).toEqual(tables);
  });

  it.each(tables)('%s: every declared column exists', async (table) => {
    const { columns = {} } = payments.entities.find(({ options }) => options.tableName === table)?.options ?? {};
    const declared = Object.values(columns).map((column) => column?.name);
    const rows = await server.asAdmin<{ readonly name: string }>(
      `select column_name as name from information_schema.columns where table_schema = 'payments' and table_name = $1`,
      [table],
    );
    expect(declared.length).toBeGreaterThan(0);
    expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining(declared));
  });
});
