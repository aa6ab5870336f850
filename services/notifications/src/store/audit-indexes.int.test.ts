import type { Sql, Database } from '@holdfast/postgres';
import type { TestDatabase } from '@holdfast/testing/postgres';
import { serviceDatabase } from '@holdfast/testing/services';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { notifications } from '../service.js';
import { notificationsMigrations } from '../testing/running-notifications.js';
import type { AuditFilter } from '../use-cases/ports.js';
import { auditStore } from './audit-store.js';

let server: TestDatabase;
let database: Database;

/** Ten thousand entries in twenty marketplaces; every value that a filter selects is rare within its marketplace. */
const someEntries = `
  insert into notifications.audit_entries (position, id, marketplace_id, occurred_at, action, resource_type, resource_id,
    related_ids, actor_type, actor_id, result, hash)
  select number, 'aud_' || number, 'mkt_' || number % 20, '2026-01-01'::timestamptz + make_interval(secs => number),
    case when number % 1000 = 1 then 'RARE' else 'ACTION_' || number % 7 end,
    case when number % 1000 = 1 then 'Rare' else 'Order' end,
    'ord_' || number / 40, case when number % 10 = 1 then array['ord_' || number / 50] else '{}' end, 'api_key', 'key_' || number / 40,
    case when number % 1000 = 1 then 'FAILURE' else 'SUCCESS' end, ''
  from generate_series(1, 10000) as number`;

beforeAll(async () => {
  server = await serviceDatabase(notifications);
  database = await server.open({ service: 'notifications', migrations: notificationsMigrations });
  await server.asAdmin(someEntries);
  await server.asAdmin('analyze notifications.audit_entries');
}, serverStartTimeoutMs);
afterAll(() => server.drop());

/** The plan of the store's own list statement. The look-up of the cursor is executed, not explained. */
async function planOf(filter: Partial<AuditFilter>): Promise<string> {
  const lists: Pick<Database['lists'], 'query'> = {
    query: <Row>(sql: Sql, values?: readonly unknown[]) => {
      const text = sql as string;
      return database.lists.query<Row>(text.includes('limit') ? `explain ${text}` : text, values);
    },
  };
  const rows = await auditStore({ lists }).list('mkt_1', { limit: 20, hiddenActions: ['CREDENTIALS_REFUSED'], ...filter });
  return JSON.stringify(rows);
}

const cursor = 'aud_5001';

describe('the list of audit entries', () => {
  it.each<[string, Partial<AuditFilter>]>([
    ['audit_entries_listed', {}],
    ['audit_entries_listed', { cursor }],
    ['audit_entries_listed', { from: '2026-01-01T01:00:00.000000Z', to: '2026-01-01T01:10:00.000000Z' }],
    ['audit_entries_listed', { result: 'SUCCESS' }],
    ['audit_entries_of_action', { action: 'RARE' }],
    ['audit_entries_of_action', { action: 'RARE', cursor }],
    ['audit_entries_of_resource_type', { resourceType: 'Rare' }],
    ['audit_entries_of_resource_type', { resourceType: 'Rare', cursor }],
    ['audit_entries_of_resource', { resourceId: 'ord_77' }],
    ['audit_entries_of_related', { resourceId: 'ord_77' }],
    ['audit_entries_of_related', { resourceId: 'ord_77', cursor }],
    ['audit_entries_of_actor', { actorId: 'key_77' }],
    ['audit_entries_of_failures', { result: 'FAILURE' }],
    ['audit_entries_of_failures', { result: 'FAILURE', cursor }],
  ])('uses the index %s for %j', async (index, filter) => {
    const plan = await planOf(filter);
    expect(plan).toMatch(new RegExp(`(using|on) ${index} `));
    expect(plan).not.toContain('Seq Scan');
  });
});
