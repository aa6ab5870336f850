import type { Database } from '@holdfast/postgres';
import type { TestDatabase } from '@holdfast/testing/postgres';
import { serviceDatabase } from '@holdfast/testing/services';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { accountKinds, accountParts } from '../domain/accounts.js';
import { reservationKinds } from '../domain/reservations.js';
import { ledgerBalance } from '../service.js';
import { ledgerTables } from '../testing/running-ledger.js';

let server: TestDatabase;
let database: Database;

beforeAll(async () => {
  server = await serviceDatabase(ledgerBalance);
  database = await server.open(ledgerTables);
}, serverStartTimeoutMs);

afterAll(() => server.drop());

const allowed: Readonly<Record<string, readonly string[]>> = {
  accounts_kind_check: [...accountKinds, 'chain'],
  legs_part_check: accountParts,
  reservations_kind_check: reservationKinds,
};

describe('the values that a column allows', () => {
  it.each(Object.entries(allowed))('%s: the values of the domain', async (constraint, values) => {
    const rows = await server.asAdmin<{ readonly definition: string }>(
      'select pg_get_constraintdef(oid) as definition from pg_constraint where conname = $1',
      [constraint],
    );
    const quoted = rows.flatMap(({ definition }) => [...definition.matchAll(/'([^']+)'/g)].map(([, value]) => value));
    expect(new Set(quoted)).toEqual(new Set(values));
  });
});

describe('the role of the service', () => {
  it.each(['update legs set units = 1', 'delete from legs', "update transfers set cause = ''", 'delete from transfers'])(
    'cannot %s',
    async (sql) => {
      await expect(database.pool.query(sql)).rejects.toMatchObject({ code: '42501' });
    },
  );

  it.each(['accounts', 'reservations', 'custody_balances', 'users'])('cannot delete %s', async (table) => {
    await expect(database.pool.query(`delete from ${table}`)).rejects.toMatchObject({ code: '42501' });
  });
});
