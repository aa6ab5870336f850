import type { Database, Statement } from '@holdfast/postgres';
import { sequentialScans, testDatabase, type TestDatabase } from '@holdfast/testing/postgres';
import { claimDueEvents, nextDueEvent, oldEvents } from './event-sql.js';
import { webhookInboxMigrations } from './index.js';

let server: TestDatabase;
let database: Database;

/** Nearly all events are handled, as in production. */
const fill = `
  insert into inbox_test.webhook_events (
    id, provider_event_id, event_type, body, is_signed, received_at, result, attempts, next_attempt_at
  )
  select 'whe_' || n, 'event ' || n, 'paid', '', true, now(),
    case when n % 1000 <> 0 then 'applied' end, 1, case when n % 1000 = 0 then now() end
  from generate_series(1, 20000) as n`;

beforeAll(async () => {
  server = await testDatabase();
  database = await server.open({ service: 'inbox-test', migrations: [webhookInboxMigrations] });
  await server.asAdmin(fill);
  await server.asAdmin('analyze inbox_test.webhook_events');
});
afterAll(() => server.drop());

const old = oldEvents.map(({ where, values = [] }) => ({
  statement: { name: '', text: `select ctid from webhook_events where ${where} limit $1` },
  values: [5_000, ...values],
}));

describe('without a sequential scan of a full table the server finds', () => {
  it.each<readonly [string, Statement, readonly unknown[]]>([
    ['due events', claimDueEvents, [20, 60]],
    ['the next due event', nextDueEvent, []],
    ...old.map(({ statement, values }) => ['old events', statement, values] as const),
  ])('%s', async (_, statement, values) => {
    expect(await sequentialScans(database, statement, values)).toEqual([]);
  });
});
