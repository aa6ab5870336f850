import type { Database, Sql } from '@holdfast/postgres';
import type { TestDatabase } from '@holdfast/testing/postgres';
import { serviceDatabase } from '@holdfast/testing/services';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { identity } from '../service.js';
import { identityMigrations } from '../testing/running-identity.js';
import type { UserFilter } from '../use-cases/ports.js';
import { listUsers } from './user-store.js';

let server: TestDatabase;
let database: Database;

/** Ten thousand users in twenty marketplaces; one in a thousand is suspended. */
const someUsers = `
  insert into identity.users (id, marketplace_id, external_user_id, email, type, status, metadata, version, created_at, updated_at)
  select 'usr_' || number, 'mkt_' || number % 20, 'customer-' || number, number / 40 || '@example.com',
    (array['BUYER', 'SELLER', 'BOTH'])[1 + number % 3], case when number % 1000 = 1 then 'SUSPENDED' else 'ACTIVE' end, '{}', 1,
    '2026-01-01'::timestamptz + make_interval(secs => number), now()
  from generate_series(1, 10000) as number`;

beforeAll(async () => {
  server = await serviceDatabase(identity);
  database = await server.open({ service: 'identity', migrations: identityMigrations });
  await server.asAdmin(
    `insert into identity.marketplaces select 'mkt_' || number, 'one', now() from generate_series(0, 19) as number`,
  );
  await server.asAdmin(someUsers);
  await server.asAdmin('analyze identity.users');
}, serverStartTimeoutMs);
afterAll(() => server.drop());

/** The plan of the store's own list statement. The look-up of the cursor is executed, not explained. */
async function planOf(filter: Partial<UserFilter>): Promise<string> {
  const query = <Row>(sql: Sql, values?: readonly unknown[]) => {
    const text = sql as string;
    return database.lists.query<Row>(text.includes('limit') ? `explain ${text}` : text, values);
  };
  return JSON.stringify(await listUsers({ query }, 'mkt_1', { limit: 20, ...filter }));
}

const cursor = 'usr_5001';

describe('the list of users', () => {
  it.each<[string, Partial<UserFilter>]>([
    ['users_listed', {}],
    ['users_listed', { cursor }],
    ['users_listed', { type: 'SELLER' }],
    ['users_listed', { status: 'ACTIVE' }],
    ['users_listed', { createdAfter: '2026-01-01T01:00:00.000000Z', createdBefore: '2026-01-01T01:10:00.000000Z' }],
    ['users_suspended', { status: 'SUSPENDED' }],
    ['users_suspended', { status: 'SUSPENDED', cursor }],
    ['users_of_email', { email: '77@example.com' }],
    ['users_of_email', { email: '77@example.com', cursor }],
    ['users_marketplace_id_external_user_id_key', { externalUserId: 'customer-77' }],
  ])('uses the index %s for %j', async (index, filter) => {
    const plan = await planOf(filter);
    expect(plan).toMatch(new RegExp(`(using|on) ${index} `));
    expect(plan).not.toContain('Seq Scan');
  });
});
