import { copyFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from '@holdfast/kernel/context';
import { messagingMigrations } from '@holdfast/messaging/outbox';
import { testDatabase, type TestDatabase } from '@holdfast/testing/postgres';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { notifications } from '../service.js';

const at = systemClock().now();

let server: TestDatabase;

beforeAll(async () => void (server = await testDatabase()), serverStartTimeoutMs);
afterAll(() => server.drop());

/** Copies a migration of the service into a folder and applies it. */
async function migrate(folder: string, name: string): Promise<void> {
  copyFileSync(path.join(fileURLToPath(notifications.migrations), name), path.join(folder, name));
  const migrations = [messagingMigrations, folder];
  await server.open({ service: 'notifications', migrations, migrateAtStart: true, poolMax: 1 });
}

async function anOldEvent(position: number, aggregateType: string, aggregateId: string): Promise<void> {
  const envelope = JSON.stringify({ eventId: `evt_${String(position)}`, aggregateId, metadata: { causationId: null } });
  await server.asAdmin(
    `insert into notifications.events (position, appended_at, marketplace_id, occurred_at, event_id, event_type, aggregate_type, envelope)
    values ($1, $2, 'mkt_1', $2, $3, 'order.closed', $4, $5)`,
    [position, at, `evt_${String(position)}`, aggregateType, envelope],
  );
}

describe('the migration to numbered events', () => {
  it('numbers the events of each aggregate in the order of the log, and the log continues counting there', async () => {
    const folder = server.migrations({});
    await migrate(folder, '0001-event-log-and-audit-trail.sql');
    await server.asAdmin('select notifications.create_event_partition($1)', [at.slice(0, 10)]);
    await anOldEvent(2, 'Order', 'ord_1');
    await anOldEvent(1, 'Order', 'ord_1');
    await anOldEvent(3, 'Escrow', 'ord_1');
    await migrate(folder, '0002-versions-of-aggregates.sql');
    const events = await server.asAdmin<{ readonly aggregateId: string; readonly envelope: string }>(
      'select aggregate_id as "aggregateId", envelope from notifications.events order by position',
    );
    expect(events.map(({ aggregateId }) => aggregateId)).toEqual(['ord_1', 'ord_1', 'ord_1']);
    expect(events.map(({ envelope }) => JSON.parse(envelope) as unknown)).toEqual(
      [1, 2, 1].map((aggregateVersion, index) => ({
        eventId: `evt_${String(index + 1)}`,
        aggregateId: 'ord_1',
        metadata: { causationId: null, aggregateVersion },
      })),
    );
    const counted = await server.asAdmin('select aggregate, version::int from notifications.aggregate_heads order by aggregate');
    expect(counted).toEqual([
      { aggregate: 'Escrow ord_1', version: 1 },
      { aggregate: 'Order ord_1', version: 2 },
    ]);
  });
});
