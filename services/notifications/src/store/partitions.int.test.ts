import { systemClock, toInstant } from '@holdfast/kernel/context';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import type { Database } from '@holdfast/postgres';
import { anEvent } from '../testing/messages.js';
import { notificationsMigrations, startNotifications, type RunningNotifications } from '../testing/running-notifications.js';
import { dropOldPartitions, createPartitions } from './partitions.js';
import { entities } from './schema.js';

const dayMs = 86_400_000;
const clock = systemClock();
const daysAgo = (days: number) => ({
  epochMs: () => clock.epochMs() - days * dayMs,
  now: () => toInstant(clock.epochMs() - days * dayMs),
});
const marketplaceId = 'mkt_old';

let service: RunningNotifications;
let database: Database;

beforeAll(async () => {
  service = await startNotifications();
  database = await service.database.open({ service: 'notifications', migrations: notificationsMigrations, entities, poolMax: 2 });
}, serverStartTimeoutMs);
afterAll(() => service.stopAll());

/** Inserts an event as if it had been appended on that day. */
async function appendedDaysAgo(days: number): Promise<string> {
  await createPartitions(database, daysAgo(days));
  const at = daysAgo(days).now();
  await database.pool.query(
    `insert into events (position, appended_at, marketplace_id, occurred_at, event_id, event_type, aggregate_type, aggregate_id, envelope)
    select last_position + 1, $1, $2, $1, 'evt_old', 'order.closed', 'Order', 'ord_old', '{}' from appender`,
    [at, marketplaceId],
  );
  await database.pool.query('update appender set last_position = last_position + 1');
  await database.pool.query(
    `insert into marketplace_clocks (marketplace_id, last_occurred_at) values ($1, $2)
    on conflict (marketplace_id) do update set last_occurred_at = excluded.last_occurred_at`,
    [marketplaceId, at],
  );
  return at;
}

describe('dropOldPartitions', () => {
  it('drops days beyond the retention, and older cursors get a gap message', async () => {
    await appendedDaysAgo(20);
    const lost = await appendedDaysAgo(12);
    await appendedDaysAgo(3);
    const retention = { days: 7, countMin: 1_000 };
    expect(await dropOldPartitions(database, clock, retention)).toEqual([]);
    const dropped = await dropOldPartitions(database, clock, { ...retention, countMin: 1 });
    expect(dropped.length).toBeGreaterThanOrEqual(2);

    const cursor = daysAgo(30).now();
    const reader = service.follow({ lastEventId: cursor, caller: { marketplaceId } });
    await reader.has(1);
    expect(reader.messages[0]).toEqual({ id: undefined, event: 'gap', data: JSON.stringify({ from: cursor, to: lost }) });
    expect(reader.messages).toHaveLength(2);

    const later = service.follow({ lastEventId: lost, caller: { marketplaceId } });
    await later.has(1);
    expect(later.messages).toHaveLength(1);
    await service.broker.publish([anEvent({ marketplaceId })]);
    await later.has(2);
  });
});

describe('the serving role', () => {
  const today = clock.now().slice(0, 10);
  const partition = `events_${today.replaceAll('-', '')}`;

  it.each([
    `update events set envelope = '{}'`,
    'delete from events',
    'truncate events',
    `select from ${partition}`,
    `delete from ${partition}`,
    `drop table ${partition}`,
    'alter table events add column note text',
    `update audit_entries set actor_id = 'other'`,
    'delete from audit_entries',
    `update audit_seals set seal = ''`,
    'delete from audit_seals',
    'delete from appender',
    'create table another (id text)',
  ])('may not: %s', async (statement) => {
    await expect(database.pool.query(statement)).rejects.toMatchObject({ code: '42501' });
  });

  it.each([
    'select create_event_partition(null)',
    `select create_event_partition('infinity')`,
    'select drop_event_partition(null)',
    `select drop_event_partition('-infinity')`,
    `select drop_event_partition('${today}')`,
  ])('is refused: %s', async (statement) => {
    await expect(database.pool.query(statement)).rejects.toMatchObject({ code: '22023' });
  });

  it('may drop a day without a partition', async () => {
    expect((await database.pool.query(`select drop_event_partition('2020-02-02')`)).rowCount).toBe(1);
  });

  it('is the only role that may execute the functions', async () => {
    const rows = await service.database.asAdmin(`
      select routine_name, grantee
      from information_schema.routine_privileges
      where routine_schema = 'notifications' and grantee <> 'holdfast_notifications'
      order by routine_name`);
    expect(rows).toEqual([
      { routine_name: 'create_event_partition', grantee: 'holdfast_notifications_app' },
      { routine_name: 'drop_event_partition', grantee: 'holdfast_notifications_app' },
    ]);
  });
});
