import { fileURLToPath } from 'node:url';
import type { Envelope } from '@holdfast/contracts/messages';
import { AppError } from '@holdfast/kernel/errors';
import type { OrderId } from '@holdfast/kernel/ids';
import { messagingMigrations } from '@holdfast/messaging/outbox';
import type { Database } from '@holdfast/postgres';
import type { TestDatabase } from '@holdfast/testing/postgres';
import { serviceDatabase } from '@holdfast/testing/services';
import type { Order } from '../domain/order.js';
import { orders } from '../service.js';
import { anOrder } from '../testing/an-order.js';
import { newId, startUnitOfWork } from '../testing/unit-of-work.js';
import type { NewOrderFacts, LockedOrder, UnitOfWork } from '../use-cases/ports.js';
import { orderStore } from './order-store.js';
import type { OrderUnitOfWorkRunner } from './order-unit-of-work.js';
import { entities } from './schema.js';

const { marketplaceId } = anOrder();
let server: TestDatabase;
let database: Database;
let one: ReturnType<typeof startUnitOfWork>;
let another: ReturnType<typeof startUnitOfWork>;

beforeAll(async () => {
  server = await serviceDatabase(orders);
  const migrations = [messagingMigrations, fileURLToPath(new URL('../../migrations', import.meta.url))];
  database = await server.open({ service: 'orders', migrations, entities });
  await database.pool.query(
    `insert into users values ('usr_buyer', $1, 'BUYER', 'ACTIVE', 1, now()), ('usr_seller', $1, 'SELLER', 'SUSPENDED', 1, now())`,
    [marketplaceId],
  );
  one = startUnitOfWork(database);
  another = startUnitOfWork(database);
});

afterAll(async () => {
  one.stop();
  another.stop();
  await server.drop();
});

function create(
  { onNewOrder }: OrderUnitOfWorkRunner,
  given: Partial<Order> = {},
  check: (before: NewOrderFacts) => void = () => undefined,
): Promise<Order> {
  const order = anOrder({ ...given, id: newId('ord') });
  const { id, clientOrderRef, buyerId, sellerId } = order;
  const key = { id, marketplaceId, userIds: [buyerId, sellerId], clientOrderRef, whenCommitted: (found: Order) => found };
  return onNewOrder(key, (unitOfWork, before) => {
    check(before);
    unitOfWork.orders.insert(order);
    return order;
  });
}

/** Increments the version of the order and returns it, or throws the refusal. */
const countOn =
  (refusal?: Error) =>
  (unitOfWork: UnitOfWork, locked: LockedOrder | undefined): number => {
    if (locked === undefined) throw new AppError('ORDER_NOT_FOUND');
    const { order } = locked;
    unitOfWork.orders.save(order, { ...order, version: order.version + 1 });
    if (refusal !== undefined) throw refusal;
    return order.version + 1;
  };

function count({ onOrder }: OrderUnitOfWorkRunner, { id }: Order, refusal?: Error): Promise<number> {
  return onOrder({ marketplaceId, orderId: id }, countOn(refusal));
}

function countOnce({ onMessage }: OrderUnitOfWorkRunner, messageId: string, { id }: Order, refusal?: Error): Promise<void> {
  const message = { id: messageId, marketplaceId } as unknown as Envelope;
  return onMessage(message, id, (unitOfWork, locked) => void countOn(refusal)(unitOfWork, locked));
}

async function orderNow(id: OrderId): Promise<Order | undefined> {
  return orderStore(database).find(marketplaceId, id);
}

const versionOf = async ({ id }: Order) => (await orderNow(id))?.version;
const threeOrders = () => Promise.all([create(one), create(one), create(one)] as const);

/** The number of transactions that `work` takes. */
async function transactionsOf(work: () => Promise<unknown>): Promise<number> {
  const inTransaction = jest.spyOn(database, 'inTransaction');
  await work();
  const { length } = inTransaction.mock.calls;
  inTransaction.mockRestore();
  return length;
}

describe('concurrent decisions', () => {
  it('share one transaction, and each gets its own result', async () => {
    const [a, b, c] = await threeOrders();
    await count(one, b);
    let results: readonly number[] = [];
    const transactions = await transactionsOf(async () => {
      results = await Promise.all([count(one, a), count(one, b), count(one, c)]);
    });
    expect([transactions, results]).toEqual([1, [2, 3, 2]]);
    expect(await Promise.all([a, b, c].map(versionOf))).toEqual([2, 3, 2]);
  });

  it('on one order run one after the other: each sees the change before it', async () => {
    const [a, b] = await threeOrders();
    expect(await Promise.all([count(one, a), count(one, a), count(one, b), count(one, a)])).toEqual([2, 3, 2, 4]);
    expect(await versionOf(a)).toBe(4);
  });

  it('of several processes on one order run one after the other', async () => {
    const order = await create(one);
    const versions = await Promise.all(Array.from({ length: 20 }, (_, index) => count(index % 2 === 0 ? one : another, order)));
    expect(versions.toSorted((x, y) => x - y)).toEqual(versions.map((_, index) => index + 2));
  });

  it('are committed except the one that is refused', async () => {
    const [a, b, c] = await threeOrders();
    const refusal = new AppError('INVALID_STATE');
    let settled: readonly PromiseSettledResult<number>[] = [];
    const transactions = await transactionsOf(async () => {
      settled = await Promise.allSettled([count(one, a), count(one, b, refusal), count(one, c)]);
    });
    expect(transactions).toBe(1);
    expect(settled).toMatchObject([{ value: 2 }, { reason: refusal }, { value: 2 }]);
    expect(await Promise.all([a, b, c].map(versionOf))).toEqual([2, 1, 2]);
  });

  it('are committed one by one if one of them throws an unexpected error', async () => {
    const [a, b, c] = await threeOrders();
    const bug = new Error('a bug');
    const settled = await Promise.allSettled([count(one, a), count(one, b, bug), count(one, c)]);
    expect(settled).toMatchObject([{ value: 2 }, { reason: bug }, { value: 2 }]);
    expect(await Promise.all([a, b, c].map(versionOf))).toEqual([2, 1, 2]);
  });

  it('are committed one by one if a constraint rejects one of them', async () => {
    const settled = await Promise.allSettled([create(one), create(one, { feeBasisPoints: 5_001n }), create(one)]);
    expect(settled).toMatchObject([{ status: 'fulfilled' }, { reason: { code: '23514' } }, { status: 'fulfilled' }]);
  });
});

describe('a message', () => {
  it('has one effect if it is delivered several times at once to several processes', async () => {
    const [a, b] = await threeOrders();
    const handled = [one, one, another, another].map((process) => countOnce(process, 'evt_once', a));
    await Promise.all([...handled, count(one, b)]);
    expect(await Promise.all([a, b].map(versionOf))).toEqual([2, 2]);
    await countOnce(one, 'evt_once', a);
    expect(await versionOf(a)).toBe(2);
  });

  it('has its effect if it waits for the lock of its order in another process, and no second one when it is repeated', async () => {
    const order = await create(one);
    const ids = Array.from({ length: 20 }, (_, index) => `evt_waits_${index.toString()}`);
    const handleAll = () => Promise.all(ids.map((id, index) => countOnce(index % 2 === 0 ? one : another, id, order)));
    await handleAll();
    await handleAll();
    expect(await versionOf(order)).toBe(21);
  });

  it('that is refused leaves no inbox row, so that it can be redelivered, and the rest of its batch is committed', async () => {
    const [a, b] = await threeOrders();
    const refusal = new AppError('INVALID_STATE');
    const settled = await Promise.allSettled([countOnce(one, 'evt_refused', a, refusal), count(one, b)]);
    expect(settled).toMatchObject([{ reason: refusal }, { value: 2 }]);
    await countOnce(one, 'evt_refused', a);
    expect(await Promise.all([a, b].map(versionOf))).toEqual([2, 2]);
  });
});

describe('a new order', () => {
  it('is the only one with its client reference among concurrent requests to several processes', async () => {
    const refuseTaken = ({ takenBy }: NewOrderFacts): void => {
      if (takenBy !== undefined) throw new AppError('CLIENT_ORDER_REF_EXISTS', { orderId: takenBy });
    };
    const callers = Array.from({ length: 12 }, (_, index) => (index % 2 === 0 ? one : another));
    const settled = await Promise.allSettled(
      callers.map((process) => create(process, { clientOrderRef: 'wanted' }, refuseTaken)),
    );
    const created = settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value.id] : []));
    const refused = settled.flatMap((result) => (result.status === 'rejected' ? [result.reason as AppError] : []));
    expect(created).toHaveLength(1);
    expect(refused.map(({ code, details }) => ({ code, details }))).toEqual(
      Array.from({ length: 11 }, () => ({ code: 'CLIENT_ORDER_REF_EXISTS', details: { orderId: created[0] } })),
    );
  });
});
