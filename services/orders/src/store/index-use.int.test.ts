import { fileURLToPath } from 'node:url';
import { messagingMigrations } from '@holdfast/messaging/outbox';
import type { Database } from '@holdfast/postgres';
import type { TestDatabase } from '@holdfast/testing/postgres';
import { serviceDatabase } from '@holdfast/testing/services';
import { orders as service } from '../service.js';
import type { Deps } from '../use-cases/ports.js';
import { disputeStore } from './dispute-store.js';
import { orderStore } from './order-store.js';
import { entities } from './schema.js';
import { findTakenRefs } from './sql/find-taken-refs.js';
import { recordMessagesAndLockOrders } from './sql/lock-orders.js';
import { findDisputeIdsOfOrder, findRunsOfOrder, findTimersOfOrder } from './sql/timeline.js';

const marketplaceId = 'mkt_1';
const rowCount = 5_000;
let server: TestDatabase;
let database: Database;
let orders: Deps['orders'];
let disputes: Deps['disputes'];

beforeAll(async () => {
  server = await serviceDatabase(service);
  const migrations = [messagingMigrations, fileURLToPath(new URL('../../migrations', import.meta.url))];
  database = await server.open({ service: 'orders', migrations, entities });
  orders = orderStore(database);
  disputes = disputeStore(database);
  await fill();
});

afterAll(async () => {
  await server.drop();
});

/** Ten marketplaces, and a hundred users in each of them. */
async function fill(): Promise<void> {
  await database.pool.query(
    `insert into orders (id, marketplace_id, client_order_ref, buyer_id, seller_id, amount_units, currency, status, title, metadata,
       fee_basis_points, milestones, dispute_id, version, created_at, updated_at)
     select 'ord_' || n, 'mkt_' || n % 10, 'ref_' || n, 'usr_' || n % 1000, 'usr_' || (n + 7) % 1000, 1, 'USD', 'IN_PROGRESS', '', '{}',
       0, '[]', 'dsp_' || n, 1, now() - make_interval(secs => n), now()
     from generate_series(1, ${rowCount}) as n`,
  );
  await database.pool.query(
    `insert into disputes (id, marketplace_id, order_id, opened_by, reason, status, version, created_at, overdue_at)
     select 'dsp_' || n, 'mkt_' || n % 10, 'ord_' || n, 'BUYER', 'OTHER', 'OPEN', 1, now() - make_interval(secs => n),
       case when n % 100 = 1 then now() end
     from generate_series(1, ${rowCount}) as n`,
  );
  await database.pool.query(
    `insert into dispute_comments (id, dispute_id, text, author, created_at)
     select 'cmt_' || n, 'dsp_' || n % 500 + 1, '', '', now() from generate_series(1, ${rowCount}) as n`,
  );
  await database.pool.query(
    `insert into saga_runs (id, saga, aggregate_id, marketplace_id, correlation_id, begun_at, next_retry_at)
     select 'run_' || n, 'fund', 'ord_' || n, 'mkt_' || n % 10, 'cor_' || n, now(), now() from generate_series(1, ${rowCount}) as n`,
  );
  await database.pool.query(
    `insert into timers (id, order_id, marketplace_id, kind, subject, due_at)
     select 'ord_' || n || ' review a', 'ord_' || n, 'mkt_' || n % 10, 'review', 'a', now() from generate_series(1, ${rowCount}) as n`,
  );
  await server.asAdmin('analyze orders.orders, orders.disputes, orders.dispute_comments, orders.saga_runs, orders.timers');
}

type Plan = {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly Plans?: Plan[];
};

async function plansOf(text: string, values: readonly unknown[]): Promise<readonly Plan[]> {
  const { rows } = await database.lists.query<{ readonly 'QUERY PLAN': readonly { readonly Plan: Plan }[] }>(
    `explain (format json) ${text}`,
    values,
  );
  const nodesOf = (plan: Plan): readonly Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
  return rows.flatMap((row) => row['QUERY PLAN'].flatMap(({ Plan: plan }) => nodesOf(plan)));
}

/** The indexes that the last statement of a list uses. The statement must not scan a table sequentially. */
async function indexesOf(list: () => Promise<unknown>): Promise<readonly string[]> {
  const query = jest.spyOn(database.lists, 'query');
  await list();
  const [text, values = []] = query.mock.calls.at(-1) ?? [''];
  query.mockRestore();
  const plans = await plansOf(text as string, values);
  expect(plans.filter((plan) => plan['Node Type'] === 'Seq Scan')).toEqual([]);
  return plans.flatMap((plan) => plan['Index Name'] ?? []);
}

const page = { limit: 20 };

describe('a list', () => {
  it.each([
    ['all orders', {}, 'orders_listed'],
    ['orders after a cursor', { cursor: 'ord_1011' }, 'orders_listed'],
    ['orders within times', { createdBefore: '2026-01-31T12:00:00.000000Z' }, 'orders_listed'],
    ['orders in a status', { status: 'IN_PROGRESS' }, 'orders_listed'],
    ['orders of a buyer', { buyerId: 'usr_11' }, 'orders_of_buyer'],
    ['orders of a buyer after a cursor', { buyerId: 'usr_11', cursor: 'ord_1011' }, 'orders_of_buyer'],
    ['orders of a seller', { sellerId: 'usr_18' }, 'orders_of_seller'],
    ['the order with a reference', { clientOrderRef: 'ref_11' }, 'orders_client_order_ref'],
  ] as const)('of %s uses its index', async (_, filter, index) => {
    expect(await indexesOf(() => orders.list(marketplaceId, { ...page, ...filter }))).toContain(index);
  });

  it.each([
    ['all disputes', {}, 'disputes_listed'],
    ['disputes after a cursor', { cursor: 'dsp_1011' }, 'disputes_listed'],
    ['overdue disputes', { overdue: true }, 'disputes_overdue'],
    ['disputes of an order', { orderId: 'ord_11' }, /^disputes_(of_order|unresolved)$/],
  ] as const)('of %s uses its index', async (_, filter, index) => {
    const used = await indexesOf(() => disputes.list(marketplaceId, { ...page, ...filter }));
    expect(used).toContainEqual(expect.stringMatching(index));
  });

  it('of the comments of a dispute uses its index', async () => {
    expect(await indexesOf(() => disputes.comments('dsp_11', page))).toContain('dispute_comments_listed');
  });
});

describe('a timeline', () => {
  it.each([
    [findRunsOfOrder, 'saga_runs_of_aggregate', 200],
    [findTimersOfOrder, 'timers_of_order', undefined],
    [findDisputeIdsOfOrder, 'disputes_of_order', 400],
  ])('is read by index', async ({ text }, index, limit) => {
    const values = ['ord_11', marketplaceId, ...(limit === undefined ? [] : [limit])];
    const plans = await plansOf(text, values);
    expect(plans.flatMap((plan) => plan['Index Name'] ?? [])).toEqual([index]);
    expect(plans.filter((plan) => plan['Node Type'] === 'Seq Scan')).toEqual([]);
  });
});

describe('a batch', () => {
  it.each([
    ['locks its orders', recordMessagesAndLockOrders, ['orders', ['evt_1'], ['ord_1', 'ord_2', 'ord_4000']], 'orders_pkey'],
    ['looks up client references', findTakenRefs, [[marketplaceId], ['ref_1']], 'orders_client_order_ref'],
  ])('%s by index', async (_, { text }, values, index) => {
    const plans = await plansOf(text, values);
    expect(plans.flatMap((plan) => plan['Index Name'] ?? [])).toContain(index);
    expect(plans.filter((plan) => plan['Node Type'] === 'Seq Scan' && plan['Relation Name'] === 'orders')).toEqual([]);
  });
});
