import { fileURLToPath } from 'node:url';
import { systemClock, type Context, type Instant } from '@holdfast/kernel/context';
import { defaultMarketplaceId } from '@holdfast/kernel/ids';
import { toInstant } from '@holdfast/kernel/instants';
import { messagingMigrations } from '@holdfast/messaging/outbox';
import type { Database } from '@holdfast/postgres';
import { silentLog } from '@holdfast/testing/log';
import type { TestDatabase } from '@holdfast/testing/postgres';
import { serviceDatabase } from '@holdfast/testing/services';
import { orders as service } from '../service.js';
import { newId, startUnitOfWork, type StartedUnitOfWork } from '../testing/unit-of-work.js';
import { fireDueTimers } from '../use-cases/fire-due-timers.js';
import type { Deps } from '../use-cases/ports.js';
import { entities } from './schema.js';
import { timerStore } from './timer-store.js';

const count = 1_000;
const clock = systemClock();
const { signal } = new AbortController();

let server: TestDatabase;
let database: Database;
let unitOfWork: StartedUnitOfWork;

beforeAll(async () => {
  server = await serviceDatabase(service);
  const migrations = [messagingMigrations, fileURLToPath(new URL('../../migrations', import.meta.url))];
  database = await server.open({ service: 'orders', migrations, entities });
  unitOfWork = startUnitOfWork(database);
});

afterAll(async () => {
  unitOfWork.stop();
  await server.drop();
});

/** Orders with one milestone each, whose review ends in an hour. That it is near has not been announced yet. */
async function insertOrders(autoReleaseAt: Instant): Promise<void> {
  const milestone = { ref: 'draft', title: 'Draft', amount: '1.00', status: 'SUBMITTED', completedAt: null, autoReleaseAt };
  await database.pool.query(
    `insert into orders (id, marketplace_id, buyer_id, seller_id, amount_units, currency, status, title, metadata, fee_basis_points,
       milestones, release_mode, version, created_at, updated_at)
     select 'ord_' || n, $1, 'usr_1', 'usr_2', 10000000, 'USD', 'IN_PROGRESS', '', '{}', 0, $2::json, 'milestone', 1, now(), now()
     from generate_series(1, ${count}) as n`,
    [defaultMarketplaceId, JSON.stringify([milestone])],
  );
  await database.pool.query(
    `insert into timers (id, order_id, marketplace_id, kind, subject, due_at)
     select id || ' release-due-soon draft', id, marketplace_id, 'release-due-soon', 'draft', now() from orders`,
  );
  await server.asAdmin('analyze orders.orders, orders.timers');
}

describe('many timers that are due at once', () => {
  it('fire in batches: a commit for at least sixteen of them on average, and one event each', async () => {
    await insertOrders(toInstant(clock.epochMs() + 3_600_000));
    const timers = timerStore({ database, graceMs: 0, onWoken: () => undefined });
    const deps = { ...unitOfWork, timers, isStoppedBySetting: false, newId } as unknown as Deps;
    const caller = { type: 'timer', id: 'timer', marketplaceId: defaultMarketplaceId, scopes: [] } as const;
    const contextOf = (): Context => ({ caller, requestId: 'test', at: clock.now(), log: silentLog });
    await fireDueTimers(deps, { contextOf, signal });
    const [left] = await server.asAdmin(`select count(*)::integer as timers from orders.timers where kind = 'release-due-soon'`);
    expect(left).toEqual({ timers: 0 });
    const { rows } = await database.pool.query<{ readonly messages: string | readonly unknown[] }>('select messages from outbox');
    const events = rows.map(
      ({ messages }) => (typeof messages === 'string' ? (JSON.parse(messages) as unknown[]) : messages).length,
    );
    expect(events.reduce((sum, each) => sum + each, 0)).toBe(count);
    expect(rows.length).toBeLessThanOrEqual(count / 16);
  });
});
