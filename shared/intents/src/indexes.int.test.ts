import type { Database, Statement } from '@holdfast/postgres';
import { sequentialScans, testDatabase, type TestDatabase } from '@holdfast/testing/postgres';
import * as sql from './intent-sql.js';
import { intentsMigrations } from './migrations.js';

let server: TestDatabase;
let database: Database;

const rowsCount = 20_000;

/** Nearly all rows are closed, as in production. */
const fill = `
  insert into intents_test.intents (
    id, kind, subject, priority, marketplace_id, correlation_id, saga_run_id, payload, closed_at, replies
  )
  select 'evt_' || n, 'fund', 'esc_' || n, 1, 'mkt_1', 'req_1', 'run_' || n, '{}',
    case when n % 1000 <> 0 then now() end, case when n % 1000 <> 0 then '[]'::jsonb end
  from generate_series(1, ${rowsCount}) as n`;

beforeAll(async () => {
  server = await testDatabase();
  database = await server.open({ service: 'intents-test', migrations: [intentsMigrations] });
  await server.asAdmin(fill);
  await server.asAdmin('analyze intents_test.intents');
});
afterAll(() => server.drop());

const leases = JSON.stringify([{ id: 'evt_1000', leaseToken: 0 }]);

describe('without a sequential scan of a full table the server finds', () => {
  it.each<readonly [string, Statement, readonly unknown[]]>([
    ['due intents', sql.claimDueIntents, ['me', 15, 10]],
    ['intents by id', sql.claimByIds, ['me', 15, ['evt_1000', 'evt_2000']]],
    ['renewed leases', sql.renewLeases, [leases, 'me', 15]],
    ['the open intent on a subject', sql.findOpenOf, ['esc_1000']],
    ['the open intents on parts of a subject', sql.findOpenParts, ['esc_1000']],
    ['the intent of a message or of its saga run', sql.findEarlier, ['evt_1000', 'run_2000']],
  ])('%s', async (_, statement, values) => {
    expect(await sequentialScans(database, statement, values)).toEqual([]);
  });
});
