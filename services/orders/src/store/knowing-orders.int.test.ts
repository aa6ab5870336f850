import type { Context } from '@holdfast/shared/context';
import type { Envelope } from '@holdfast/shared/contracts/messages';
import { defaultMarketplaceId, type OrderId, type UserId } from '@holdfast/shared/ids';
import { messagingMigrations } from '@holdfast/shared/outbox';
import type { Database } from '@holdfast/shared/postgres';
import { eventually } from '@holdfast/shared/testing/eventually';
import { testDatabase, type TestDatabase } from '@holdfast/shared/testing/postgres';
import path from 'node:path';
import type { Order } from '../domain/order.js';
import { assignDispute } from '../use-cases/assign-dispute.js';
import { completeMilestone } from '../use-cases/complete-milestone.js';
import { createOrder } from '../use-cases/create-order.js';
import { noteEscrowCreated } from '../use-cases/note-escrow-created.js';
import { noteEscrowFunded } from '../use-cases/note-escrow-funded.js';
import { noteEscrowSettled } from '../use-cases/note-escrow-settled.js';
import { noteHoldPlaced } from '../use-cases/note-hold-placed.js';
import { openDispute } from '../use-cases/open-dispute.js';
import type { Deps } from '../use-cases/ports.js';
import { requestCancel } from '../use-cases/request-cancel.js';
import { requestEscrow } from '../use-cases/request-escrow.js';
import { requestFunding } from '../use-cases/request-funding.js';
import { requestRelease } from '../use-cases/request-release.js';
import { requestReserve } from '../use-cases/request-reserve.js';
import { requestResolution } from '../use-cases/request-resolution.js';
import { clock, countQuestions, ctx, newId, startProcess, type Process } from '../testing/a-process.js';
import { orderStore } from './order-store.js';

const marketplaceId = defaultMarketplaceId;
const [buyerId, sellerId]: readonly [UserId, UserId] = ['usr_buyer', 'usr_seller'];
const processes: Process[] = [];
const aProcess = (): Process => {
  const started = startProcess(database);
  processes.push(started);
  return started;
};
let server: TestDatabase;
let database: Database;

beforeAll(async () => {
  server = await testDatabase();
  const migrations = [messagingMigrations, path.join(import.meta.dirname, '../../migrations')];
  database = await server.open({ service: 'orders', migrations });
  await database.pool.query(
    `insert into users values ('usr_buyer', $1, 'BUYER', 'ACTIVE', 1, now()), ('usr_seller', $1, 'SELLER', 'ACTIVE', 1, now())`,
    [marketplaceId],
  );
});

afterEach(() => {
  for (const { stop } of processes.splice(0)) stop();
});

afterAll(async () => {
  await server.drop();
});

const given = { buyerId, sellerId, amount: '100.00', currency: 'USD' } as const;
const milestones = ['a', 'b'].map((ref) => ({ ref, title: ref, amount: '50.00' }));

async function orderNow(id: OrderId): Promise<Order> {
  const order = await aReader.find(marketplaceId, id);
  if (order === undefined) throw new Error(`${id} is not there`);
  return order;
}

const aReader = { find: (...key: Parameters<Deps['orders']['find']>) => orderStore(database).find(...key) };

async function news<Payload>(id: OrderId, payload: Payload): Promise<Envelope<Payload>> {
  const { operation } = await orderNow(id);
  const run = { saga: operation?.saga, sagaRunId: operation?.runId };
  return { id: newId('evt'), marketplaceId, ...run, payload } as unknown as Envelope<Payload>;
}

const funds = {
  userId: buyerId,
  amount: '100.00',
  currency: 'USD',
  reservedBalance: '1.00',
  availableBalance: '1.00',
} as const;

/** Begins an operation and waits until it is under way. */
async function begun<Result>(id: OrderId, operation: Promise<Result>): Promise<{ readonly end: Promise<Result> }> {
  while ((await orderNow(id)).operation === null) await new Promise(setImmediate);
  return { end: operation };
}

const placed = async (id: OrderId) => news(id, { orderId: id, ...funds });

async function reserve({ deps }: Process, id: OrderId): Promise<void> {
  const { end } = await begun(id, requestReserve(deps, { id }, ctx()));
  await noteHoldPlaced(deps, await placed(id), ctx());
  await end;
}

async function fund({ deps }: Process, id: OrderId): Promise<void> {
  const creating = await begun(id, requestEscrow(deps, { id }, ctx()));
  const escrowId = (await orderNow(id)).escrow?.id ?? 'esc_none';
  const of = { orderId: id, escrowId, amount: '100.00', currency: 'USD', providerContractId: 'C1' } as const;
  await noteEscrowCreated(deps, await news(id, of), ctx());
  await creating.end;
  const funding = await begun(id, requestFunding(deps, { id }, ctx()));
  await noteEscrowFunded(deps, await news(id, { ...of, fundedAt: clock.now() }), ctx());
  await funding.end;
}

async function anOrder({ deps }: Process, more: object = {}): Promise<OrderId> {
  return (await createOrder(deps, { ...given, ...more }, ctx())).id;
}

/** What the process believes of an order, and still does. */
function believed({ known }: Process, id: OrderId): Order | undefined {
  const kept = known.take(id);
  if (kept !== undefined) known.keep(kept);
  return kept?.order;
}

describe('what a process knows of an order', () => {
  it('is at every step of its life what would be read', async () => {
    const one = aProcess();
    const { deps } = one;
    const id = await anOrder(one, {
      milestones,
      metadata: { z: [1, { a: null }], b: 'ü' },
      description: 'x',
      clientOrderRef: 'r-1',
    });
    const steps: (() => Promise<unknown>)[] = [
      () => Promise.resolve(),
      () => begun(id, requestReserve(deps, { id }, ctx())),
      async () => noteHoldPlaced(deps, await placed(id), ctx()),
      () => fund(one, id),
      () => completeMilestone(deps, { id, ref: 'a' }, ctx()),
      () => openDispute(deps, { orderId: id, openedBy: 'BUYER', reason: 'OTHER', evidence: ['e'] }, ctx()),
      async () => assignDispute(deps, { id: await disputeIdOf(id), assignedTo: 'agent' }, ctx()),
      async () => {
        const parts = { decision: 'SPLIT', releaseAmount: '60', refundAmount: '40', note: 'n' } as const;
        const resolving = requestResolution(deps, { id: await disputeIdOf(id), ...parts }, ctx());
        await begun(
          id,
          resolving.catch(() => undefined),
        );
      },
      async () => {
        const payouts = [{ userId: sellerId, amount: '57.00', newAvailableBalance: '57.00' }];
        await noteEscrowSettled(deps, await news(id, { orderId: id, currency: 'USD', fee: '3.00', payouts }), ctx());
      },
    ];
    for (const step of steps) {
      await step();
      await eventually(async () => expect(believed(one, id)).toEqual(await orderNow(id)));
    }
  });

  it('is decided on without reading it', async () => {
    const one = aProcess();
    const id = await anOrder(one);
    const asked = countQuestions(database);
    await reserve(one, id);
    await fund(one, id);
    expect(asked.stop()).toBe(0);
    expect(await orderNow(id)).toMatchObject({ status: 'IN_PROGRESS' });
  });

  it('is not believed where another process has changed the order since', async () => {
    const [one, other] = [aProcess(), aProcess()];
    const id = await anOrder(one);
    await reserve(one, id);
    await fund(one, id);
    await openDispute(other.deps, { orderId: id, openedBy: 'SELLER', reason: 'OTHER' }, ctx());
    expect(believed(one, id)).toMatchObject({ status: 'IN_PROGRESS' });
    await expect(requestRelease(one.deps, { orderId: id }, ctx())).rejects.toMatchObject({ code: 'INVALID_STATE' });
    expect(await orderNow(id)).toMatchObject({ status: 'DISPUTED', operation: null });
  });

  it('refuses nothing: another process may have changed the order since', async () => {
    const [one, other] = [aProcess(), aProcess()];
    const id = await anOrder(one);
    const { end } = await begun(id, requestReserve(one.deps, { id }, ctx()));
    await noteHoldPlaced(other.deps, await placed(id), ctx());
    await end;
    expect(believed(one, id)?.operation).not.toBeNull();
    await begun(
      id,
      requestCancel(one.deps, { id }, ctx()).catch(() => undefined),
    );
    expect((await orderNow(id)).operation).toMatchObject({ saga: 'cancel' });
  });

  it('ignores no message: another process may have begun what it answers', async () => {
    const [one, other] = [aProcess(), aProcess()];
    const id = await anOrder(one);
    const { end } = await begun(id, requestReserve(other.deps, { id }, ctx()));
    await noteHoldPlaced(one.deps, await placed(id), ctx());
    expect(await end).toMatchObject({ status: 'FUNDS_RESERVED' });
  });

  it('has no effect where the message was heard before', async () => {
    const one = aProcess();
    const id = await anOrder(one);
    await begun(
      id,
      requestReserve(one.deps, { id }, ctx()).catch(() => undefined),
    );
    const message = await placed(id);
    await database.pool.query(`insert into inbox (consumer, message_id) values ('orders', $1)`, [message.id]);
    await noteHoldPlaced(one.deps, message, ctx());
    expect(await orderNow(id)).toMatchObject({ status: 'ORDER_CREATED', operation: { saga: 'reserve' } });
  });

  it('is given up where nobody knows what became of the commit', async () => {
    const one = aProcess();
    const id = await anOrder(one);
    await server.asAdmin(`
      create function orders.die() returns trigger language plpgsql as $$ begin perform pg_terminate_backend(pg_backend_pid()); return null; end $$;
      create constraint trigger die after insert on orders.saga_runs deferrable initially deferred for each row execute function orders.die()`);
    await expect(requestReserve(one.deps, { id }, ctx())).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await server.asAdmin('drop trigger die on orders.saga_runs');
    expect(believed(one, id)).toBeUndefined();
    await reserve(one, id);
    expect(await orderNow(id)).toMatchObject({ status: 'FUNDS_RESERVED', version: 2 });
  });

  it('does not bring back what is no longer there', async () => {
    const one = aProcess();
    const id = await anOrder(one);
    await server.asAdmin('delete from orders.orders where id = $1', [id]);
    await expect(requestReserve(one.deps, { id }, ctx())).rejects.toMatchObject({ code: 'ORDER_NOT_FOUND' });
  });

  it('is not believed where one of the parties has changed since', async () => {
    const one = aProcess();
    const id = await anOrder(one);
    await reserve(one, id);
    await database.pool.query(`update users set status = 'SUSPENDED', version = version + 1 where id = 'usr_seller'`);
    await expect(requestEscrow(one.deps, { id }, ctx())).rejects.toMatchObject({ details: { reason: 'USER_NOT_ACTIVE' } });
    await expect(anOrder(one)).rejects.toMatchObject({ code: 'USER_NOT_ACTIVE' });
    await database.pool.query(`update users set status = 'ACTIVE', version = version + 1`);
    await expect(anOrder(one)).resolves.toMatch(/^ord_/);
  });

  it('makes a second order of the same parties without reading, unless they have changed', async () => {
    const one = aProcess();
    await anOrder(one);
    const asked = countQuestions(database);
    const id = await anOrder(one);
    expect(asked.stop()).toBe(0);
    expect(believed(one, id)).toEqual(await orderNow(id));
    await database.pool.query(`update users set status = 'SUSPENDED', version = version + 1 where id = 'usr_seller'`);
    await expect(anOrder(one)).rejects.toMatchObject({ code: 'USER_NOT_ACTIVE' });
    await database.pool.query(`update users set status = 'ACTIVE', version = version + 1 where id = 'usr_seller'`);
  });

  it('is of no use to another marketplace', async () => {
    const one = aProcess();
    const id = await anOrder(one);
    const stranger = { ...ctx(), caller: { ...ctx().caller, marketplaceId: 'mkt_other' } } as Context;
    await expect(requestReserve(one.deps, { id }, stranger)).rejects.toMatchObject({ code: 'ORDER_NOT_FOUND' });
  });

  it('lets exactly one of 20 callers at once begin', async () => {
    const one = aProcess();
    const id = await anOrder(one);
    const calls = Array.from({ length: 20 }, () => requestReserve(one.deps, { id }, ctx()));
    await begun(id, Promise.allSettled(calls));
    await noteHoldPlaced(one.deps, await placed(id), ctx());
    const settled = await Promise.allSettled(calls);
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
});

async function disputeIdOf(id: OrderId) {
  return (await orderNow(id)).dispute?.id ?? 'dsp_none';
}
