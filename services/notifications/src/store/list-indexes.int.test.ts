import type { Database, Sql } from '@holdfast/postgres';
import type { TestDatabase } from '@holdfast/testing/postgres';
import { serviceDatabase } from '@holdfast/testing/services';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { notifications } from '../service.js';
import { notificationsMigrations } from '../testing/running-notifications.js';
import type { EventList } from '../use-cases/ports.js';
import { findEvent, findEventMoment, listEvents, newestOfResources } from './sql/list-events.js';
import { readSummary, readSummaryBatch, readUncounted } from './sql/summary.js';

let server: TestDatabase;
let database: Database;

/** Twenty thousand events in twenty marketplaces; one event in a thousand has a rare type. Five events were appended after the last count. */
const fill = [
  `select notifications.create_event_partition(current_date)`,
  `insert into notifications.events (position, appended_at, marketplace_id, occurred_at, event_id, event_type, aggregate_type,
     aggregate_id, envelope)
   select number, now(), 'mkt_' || number % 20, '2026-01-01'::timestamptz + make_interval(secs => number), 'evt_' || number,
     case when number % 1000 = 1 then 'dispute.opened' else 'order.created' end, 'Order', 'ord_' || number / 40, '{}'
   from generate_series(1, 20000) as number`,
  `insert into notifications.audit_entries (position, id, marketplace_id, occurred_at, action, resource_type, resource_id,
     related_ids, actor_type, actor_id, result, hash)
   select number, 'aud_' || number, 'mkt_1', now(), 'A', 'Order', 'ord_1', '{}', 'api_key', 'key_1', 'SUCCESS', ''
   from generate_series(1, 20000) as number`,
  `insert into notifications.summary_counts (marketplace_id, counter, label, currency, value)
   select 'mkt_' || number % 20, 'volume', to_char('2000-01-01'::date + number / 20, 'YYYY-MM-DD'), 'USD', 1
   from generate_series(1, 20000) as number`,
  `update notifications.appender set last_position = 20000, audit_position = 20000`,
  `update notifications.summary_position set position = 19995, audit_position = 19995`,
  `analyze notifications.events, notifications.audit_entries, notifications.summary_counts`,
];

beforeAll(async () => {
  server = await serviceDatabase(notifications);
  database = await server.open({ service: 'notifications', migrations: notificationsMigrations });
  for (const statement of fill) await server.asAdmin(statement);
}, serverStartTimeoutMs);
afterAll(() => server.drop());

type Bound = { readonly text: string; readonly values: readonly unknown[] };

async function planOf({ text, values }: Bound): Promise<string> {
  const explained: Sql = { text: `explain ${text}`, values };
  return JSON.stringify((await database.lists.query(explained)).rows);
}

const list: EventList = {
  marketplaceId: 'mkt_1',
  after: '2026-01-01T01:00:00.000000Z',
  types: null,
  aggregateId: undefined,
  limit: 21,
};

describe('a read of the log', () => {
  it.each<[string, Bound, RegExp]>([
    ['all events', listEvents(list), /marketplace_id_occurred_at_idx/],
    [
      'events of rare types',
      listEvents({ ...list, types: ['dispute.opened', 'dispute.resolved'] }),
      /marketplace_id_event_type_occurred_at_idx/,
    ],
    ['events of a resource', listEvents({ ...list, aggregateId: 'ord_77' }), /marketplace_id_aggregate_id_occurred_at_idx/],
    [
      'types of a resource',
      listEvents({ ...list, aggregateId: 'ord_77', types: ['order.created'] }),
      /marketplace_id_aggregate_id/,
    ],
    ['an event', { ...findEvent, values: ['evt_77', 'mkt_17'] }, /event_id_idx/],
    ['the time of an event', { ...findEventMoment, values: ['evt_77', 'mkt_17'] }, /event_id_idx/],
    [
      'the history of an order',
      { ...newestOfResources, values: ['mkt_1', ['ord_77', 'esc_77'], 501] },
      /marketplace_id_aggregate_id/,
    ],
    [
      'what is not counted',
      { ...readSummaryBatch, values: [2_000, ['order.created'], ['Order']] },
      /audit_entries_pkey.*|events_\d+_pkey/,
    ],
    ['how far the counters are', { ...readUncounted, values: ['mkt_1'] }, /events_\d+_pkey/],
    ['the counters', { ...readSummary, values: ['mkt_1', '2001-01-01', '2001-02-01', ['volume']] }, /summary_counts_pkey/],
  ])('finds %s by index', async (_, statement, index) => {
    const plan = await planOf(statement);
    expect(plan).toMatch(index);
    expect(plan).not.toMatch(/Seq Scan on (events|audit_entries|summary_counts)/);
  });
});
