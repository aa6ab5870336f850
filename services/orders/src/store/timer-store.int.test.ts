import { fileURLToPath } from 'node:url';
import { emergencyStopChanged, emergencyStopId, type Envelope, type Payload } from '@holdfast/contracts/messages';
import { stopHandler } from '@holdfast/intents/provider-controls';
import { systemClock, toEpochMs, type Context, type Instant } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import { defaultMarketplaceId } from '@holdfast/kernel/ids';
import { toInstant } from '@holdfast/kernel/instants';
import { messagingMigrations } from '@holdfast/messaging/outbox';
import { createMetrics } from '@holdfast/observability';
import type { Database } from '@holdfast/postgres';
import { silentLog } from '@holdfast/testing/log';
import type { TestDatabase } from '@holdfast/testing/postgres';
import { serviceDatabase } from '@holdfast/testing/services';
import type { Order } from '../domain/order.js';
import { orders as service } from '../service.js';
import { aMilestone, anEscrow, anOrder } from '../testing/an-order.js';
import { newId, startUnitOfWork, type StartedUnitOfWork } from '../testing/unit-of-work.js';
import { fireDueTimers } from '../use-cases/fire-due-timers.js';
import type { Deps } from '../use-cases/ports.js';
import { measureTimersJob } from './measure-timers.js';
import { orderStore } from './order-store.js';
import { entities } from './schema.js';
import { stopWrites, timerStore } from './timer-store.js';

const clock = systemClock();
const hourMs = 3_600_000;
const graceMs = 24 * hourMs;
const { signal } = new AbortController();
const marketplaceId = defaultMarketplaceId;

let server: TestDatabase;
let database: Database;
let replicas: readonly (StartedUnitOfWork & { readonly deps: Deps })[];

beforeAll(async () => {
  server = await serviceDatabase(service);
  const migrations = [messagingMigrations, fileURLToPath(new URL('../../migrations', import.meta.url))];
  database = await server.open({ service: 'orders', migrations, entities });
  replicas = [aReplica(), aReplica()];
});

beforeEach(async () => {
  await server.asAdmin('delete from orders.timers');
  await server.asAdmin('delete from orders.emergency_stop');
  await server.asAdmin('update orders.heartbeat set beat_at = now(), grace_until = null');
});

afterAll(async () => {
  for (const { stop } of replicas) stop();
  await server.drop();
});

function aReplica(): StartedUnitOfWork & { readonly deps: Deps } {
  const unitOfWork = startUnitOfWork(database);
  const timers = timerStore({ database, graceMs, onWoken: () => undefined });
  return { ...unitOfWork, deps: { ...unitOfWork, timers, isStoppedBySetting: false, newId } as unknown as Deps };
}

const inMs = (ms: number): Instant => toInstant(clock.epochMs() + ms);

function contextAt(at: Instant): Context {
  const caller = { type: 'timer', id: 'timer', marketplaceId, scopes: [] } as const;
  return { caller, requestId: 'test', at, log: silentLog };
}

function fire(replica = 0, at = clock.now()): Promise<void> {
  const { deps } = replicas[replica] ?? aReplica();
  return fireDueTimers(deps, { contextOf: () => contextAt(at), signal });
}

/** An order whose only milestone is under review until this time. Both parties are active. */
async function insertReviewed(autoReleaseAt: Instant, given: Partial<Order> = {}): Promise<Order> {
  const [buyerId, sellerId] = [newId('usr'), newId('usr')];
  for (const id of [buyerId, sellerId])
    await database.pool.query(
      `insert into users (id, marketplace_id, type, status, version, received_at) values ($1, $2, 'BOTH', 'ACTIVE', 1, now())`,
      [id, marketplaceId],
    );
  const review = {
    submittedAt: autoReleaseAt,
    autoReleaseAt,
    firstAutoReleaseAt: autoReleaseAt,
    noticedReleaseAt: autoReleaseAt,
  };
  const order = anOrder({
    id: newId('ord'),
    buyerId,
    sellerId,
    status: 'IN_PROGRESS',
    releaseMode: 'milestone',
    escrow: anEscrow({ id: newId('esc'), contractType: 'multi-release' }),
    milestones: [aMilestone('draft', { amount: anOrder().amount, status: 'SUBMITTED', ...review })],
    ...given,
  });
  const { id, clientOrderRef } = order;
  const key = { id, marketplaceId, userIds: [], clientOrderRef, whenCommitted: (found: Order) => found };
  const [first = aReplica()] = replicas;
  return first.onNewOrder(key, (tx) => {
    tx.orders.insert(order);
    return order;
  });
}

type TimerState = { readonly kind: string; readonly held_reason: string | null; readonly due_at: Instant };

const timersOfOrder = async ({ id }: Order) => {
  const text = 'select kind, held_reason, due_at from timers where order_id = $1 order by kind';
  return (await database.pool.query<TimerState>(text, [id])).rows;
};
const runsOf = async ({ id }: Order) =>
  (await server.asAdmin<{ readonly saga: string }>('select saga from orders.saga_runs where aggregate_id = $1', [id])).map(
    ({ saga }) => saga,
  );
const orderNow = async ({ id }: Order) => orderStore(database).find(marketplaceId, id);
const makeDue = () => server.asAdmin('update orders.timers set due_at = now()');

describe('saving an order', () => {
  it('sets, moves and cancels its timers in the same commit', async () => {
    const order = await insertReviewed(inMs(hourMs));
    const [first = aReplica()] = replicas;
    const save = (after: (before: Order) => Order, fails = false) =>
      first.onOrder({ marketplaceId, orderId: order.id }, (tx, locked) => {
        tx.orders.save(locked.order, after(locked.order));
        if (fails) throw new AppError('INVALID_STATE');
      });
    const withReview = (autoReleaseAt: Instant | null) => (before: Order) => ({
      ...before,
      milestones: before.milestones.map((each) => ({ ...each, autoReleaseAt, noticedReleaseAt: autoReleaseAt })),
    });
    const set = await timersOfOrder(order);
    expect(set.map(({ kind }) => kind)).toEqual(['review']);
    await expect(save(withReview(null), true)).rejects.toThrow();
    expect(await timersOfOrder(order)).toEqual(set);
    await save(withReview(inMs(2 * hourMs)));
    expect(toEpochMs((await timersOfOrder(order))[0]?.due_at ?? 'Z')).toBeGreaterThan(clock.epochMs() + hourMs);
    await save(withReview(null));
    expect(await timersOfOrder(order)).toEqual([]);
  });
});

describe('due timers', () => {
  it('fire once for any number of replicas', async () => {
    const due = await Promise.all(Array.from({ length: 20 }, () => insertReviewed(inMs(-1_000))));
    await Promise.all([fire(0), fire(1), fire(0), fire(1)]);
    await makeDue();
    await Promise.all([fire(0), fire(1)]);
    for (const order of due) expect(await runsOf(order)).toEqual(['release-milestone']);
  });

  it('that a dead process has claimed are due again after the back-off', async () => {
    const order = await insertReviewed(inMs(-1_000));
    const [dead = aReplica()] = replicas;
    expect(await dead.deps.timers.claim(10)).toMatchObject([{ orderId: order.id, kind: 'review', attempts: 0 }]);
    await fire(1);
    expect(await runsOf(order)).toEqual([]);
    expect(await dead.deps.timers.nextDueInMs()).toBeGreaterThan(3_000);
    await makeDue();
    await fire(1);
    expect(await runsOf(order)).toEqual(['release-milestone']);
  });

  it('never fire early by the clock of the process, whatever the database says', async () => {
    const order = await insertReviewed(inMs(hourMs));
    await makeDue();
    await fire();
    expect([await runsOf(order), (await timersOfOrder(order)).length]).toEqual([[], 1]);
    await makeDue();
    await fire(0, inMs(hourMs));
    expect(await runsOf(order)).toEqual(['release-milestone']);
  });

  it('lose against a change that came before', async () => {
    const order = await insertReviewed(inMs(-1_000));
    const [first = aReplica()] = replicas;
    const [claimed] = await first.deps.timers.claim(1);
    await first.onOrder({ marketplaceId, orderId: order.id }, (tx, locked) =>
      tx.orders.save(locked.order, { ...locked.order, status: 'DISPUTED' }),
    );
    expect([claimed?.orderId, await timersOfOrder(order)]).toEqual([order.id, []]);
    await fire();
    expect(await runsOf(order)).toEqual([]);
  });
});

describe('a timer that would pay out', () => {
  const stopMessage = (isStopped: boolean, aggregateVersion: number): Envelope<Payload<typeof emergencyStopChanged>> => {
    const { type, version, aggregateType } = emergencyStopChanged;
    const about = { aggregateType, aggregateId: emergencyStopId, aggregateVersion, marketplaceId };
    return { id: newId('evt'), type, version, occurredAt: clock.now(), ...about, correlationId: 'test', payload: { isStopped } };
  };
  const changeStop = (isStopped: boolean, version: number) =>
    stopHandler({ database, service: 'orders', beforeStored: stopWrites(graceMs) })(
      stopMessage(isStopped, version),
      contextAt(clock.now()),
    );

  it('is held while the platform is stopped, and due when the stop ends', async () => {
    await changeStop(true, 1);
    const order = await insertReviewed(inMs(-1_000));
    await fire();
    expect(await timersOfOrder(order)).toMatchObject([{ held_reason: 'EMERGENCY_STOP' }]);
    await changeStop(false, 2);
    await fire();
    expect(await runsOf(order)).toEqual(['release-milestone']);
    expect(await timersOfOrder(order)).toMatchObject([{ held_reason: null }]);
  });

  it('is held while a party is suspended, and due when the user is active again', async () => {
    const order = await insertReviewed(inMs(-1_000));
    const setStatus = (status: string) =>
      database.pool.query('update users set status = $2 where id = $1', [order.buyerId, status]);
    await setStatus('SUSPENDED');
    await fire();
    expect(await timersOfOrder(order)).toMatchObject([{ held_reason: 'SUSPENDED_PARTY' }]);
    await setStatus('ACTIVE');
    await replicas[1]?.deps.timers.wakeOfUser(order.buyerId);
    await fire();
    expect(await runsOf(order)).toEqual(['release-milestone']);
  });

  it('is shown by the gauges while it is held or late', async () => {
    const metrics = createMetrics({ service: 'test', processMetrics: false });
    await changeStop(true, 1);
    await insertReviewed(inMs(-1_000));
    await fire();
    await insertReviewed(inMs(-60_000));
    await measureTimersJob({ database, metrics }).run(signal);
    const text = await metrics.registry.metrics();
    expect(text).toMatch(/holdfast_timers_held\{[^}]*reason="EMERGENCY_STOP"[^}]*\} 1/);
    expect(text).toMatch(/holdfast_timers_due_lag_seconds(\{[^}]*\})? (59|6\d)/);
  });

  it('waits for the grace period after the stop of a restore has ended, not after the stop of a person', async () => {
    await changeStop(true, 1);
    await changeStop(false, 2);
    expect(await replicas[0]?.deps.timers.beat()).toBeNull();
    await server.asAdmin('update orders.emergency_stop set is_stopped = true, restored_at = now(), version = 3');
    await changeStop(false, 3);
    expect(await replicas[0]?.deps.timers.beat()).toBeNull();
    await changeStop(false, 4);
    expect(toEpochMs((await replicas[0]?.deps.timers.beat()) ?? 'Z')).toBeGreaterThan(clock.epochMs() + graceMs - hourMs);
  });
});

describe('after an outage of more than an hour', () => {
  const goAway = (minutes: number) =>
    server.asAdmin(`update orders.heartbeat set beat_at = now() - make_interval(mins => ${minutes})`);

  it('all replicas see the same grace period, and a shorter gap begins none', async () => {
    const beats = () => Promise.all(replicas.map(({ deps }) => deps.timers.beat()));
    await goAway(59);
    expect(await beats()).toEqual([null, null]);
    await goAway(61);
    const [first, second] = await beats();
    expect(toEpochMs(first ?? 'Z')).toBeGreaterThan(clock.epochMs() + graceMs - hourMs);
    expect(second).toBe(first);
    expect(await beats()).toEqual([first, first]);
  });

  it('a review ends with the grace period, and a delivery date waits for it', async () => {
    const reviewed = await insertReviewed(inMs(-1_000));
    const undelivered = await insertReviewed(inMs(hourMs), {
      milestones: [aMilestone('draft', { amount: anOrder().amount })],
      deliverBy: inMs(-1_000),
      onNotDelivered: 'refund',
    });
    await goAway(90);
    await Promise.all([fire(0), fire(1)]);
    const graceUntil = await replicas[0]?.deps.timers.beat();
    expect((await orderNow(reviewed))?.milestones[0]?.autoReleaseAt).toBe(graceUntil);
    expect(await timersOfOrder(undelivered)).toMatchObject([{ kind: 'delivery', held_reason: 'OUTAGE', due_at: graceUntil }]);
    expect([await runsOf(reviewed), await runsOf(undelivered)]).toEqual([[], []]);
    await makeDue();
    await fire(0, inMs(graceMs + hourMs));
    expect([await runsOf(reviewed), await runsOf(undelivered)]).toEqual([['release-milestone'], ['refund']]);
  });
});
