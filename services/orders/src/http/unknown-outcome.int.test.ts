import { allMessages, type Envelope } from '@holdfast/contracts/messages';
import { eventually } from '@holdfast/testing/eventually';
import { startCommitProxy, type CommitFault, type CommitProxy } from '@holdfast/testing/postgres';
import type { TestResponse } from '@holdfast/testing/services';
import { stepsUntil, startOrders, type RunningOrders } from '../testing/running-orders.js';

let proxy: CommitProxy;
let orders: RunningOrders;

beforeAll(async () => {
  const databaseUrl = async (serverUrl: string): Promise<string> => {
    proxy = await startCommitProxy(serverUrl);
    return proxy.url;
  };
  orders = await startOrders({}, { databaseUrl });
});

afterAll(async () => {
  await orders.stop();
  await proxy.close();
});

/** Sends a request whose COMMIT meets the fault at least once. No other COMMIT runs at the time. */
async function withCommitFault(fault: CommitFault, request: () => Promise<TestResponse>): Promise<TestResponse> {
  const faultsBefore = proxy.faultCount();
  proxy.setFault(fault);
  const response = request();
  await eventually(() => {
    expect(proxy.faultCount()).toBeGreaterThan(faultsBefore);
  });
  proxy.setFault('none');
  await endLeasesUntil(response);
  return response;
}

/** A process does not publish what it has committed without knowing it. The sweeper does after 5 s, which end at once here. */
const endLeases = `
  update orders.outbox
  set available_at = now()
  where available_at < now() + interval '6 seconds'`;

async function endLeasesUntil(response: Promise<unknown>): Promise<void> {
  let hasEnded = false;
  const ended = response.finally(() => (hasEnded = true));
  await eventually(async () => {
    await orders.database.asAdmin(endLeases);
    expect(hasEnded).toBe(true);
  });
  await ended;
}

async function countOf(table: string, column: string, value: string): Promise<number> {
  const sql = `select count(*)::int as count from orders.${table} where ${column} = $1`;
  const [row] = await orders.database.asAdmin<{ readonly count: number }>(sql, [value]);
  return row?.count ?? 0;
}

const publicTypes = new Set(allMessages.filter(({ visibility }) => visibility === 'public').map(({ type }) => type));

/** The events about an order that are published or wait for the sweeper, by version. */
async function eventTypesOf(orderId: string): Promise<readonly string[]> {
  const published = await orders.eventsOf(orderId);
  const rows = await orders.database.asAdmin<{ readonly messages: string }>('select messages from orders.outbox');
  const stored = rows.flatMap(({ messages }) => JSON.parse(messages) as readonly Envelope[]);
  const waiting = stored.filter((message) => publicTypes.has(message.type) && JSON.stringify(message).includes(orderId));
  return [...new Map([...published, ...waiting].map((event) => [event.id, event])).values()]
    .toSorted((one, other) => one.aggregateVersion - other.aggregateVersion)
    .map(({ type }) => type);
}

const seen = ({ status, code }: TestResponse) => [status, code];

const milestones = [
  { ref: 'draft', title: 'Draft', amount: '50.00' },
  { ref: 'final', title: 'Final', amount: '50.00' },
];

/** The service already knows the buyer and the seller, so the COMMIT of the order is the only one. */
async function anOrderBody() {
  const body = { buyerId: orders.aUser(), sellerId: orders.aUser(), amount: '100.00' };
  expect(seen(await orders.post('/orders', body))).toEqual([201, undefined]);
  return body;
}

/** With the first fault Postgres has committed, with the second one it has not. */
describe.each(['garble-response', 'lose-request'] as const)('POST /orders where COMMIT meets %s', (fault) => {
  it('201 creates one order', async () => {
    const body = await anOrderBody();
    const created = await withCommitFault(fault, () => orders.post('/orders', body));
    expect([...seen(created), created.data.data.status]).toEqual([201, undefined, 'ORDER_CREATED']);
    expect(await countOf('orders', 'buyer_id', body.buyerId)).toBe(2);
  });

  it('201 despite its own client reference', async () => {
    const body = { ...(await anOrderBody()), clientOrderRef: `ref of ${fault}` };
    expect(seen(await withCommitFault(fault, () => orders.post('/orders', body)))).toEqual([201, undefined]);
    expect(seen(await orders.post('/orders', body))).toEqual([409, 'CLIENT_ORDER_REF_EXISTS']);
  });
});

describe('requests whose response to COMMIT is garbled', () => {
  const garbled = (request: () => Promise<TestResponse>) => withCommitFault('garble-response', request);

  it('201 for POST /orders and POST /orders/{id}/reserve: one order, one saga run, each event once', async () => {
    const body = await anOrderBody();
    const { id } = (await garbled(() => orders.post('/orders', body))).data.data as { readonly id: string };
    const created = await garbled(() => orders.do(id, 'reserve'));
    expect([...seen(created), created.data.data.status]).toEqual([201, undefined, 'FUNDS_RESERVED']);
    expect(await countOf('saga_runs', 'aggregate_id', id)).toBe(1);
    expect(await eventTypesOf(id)).toEqual(['order.created', 'order.funds_reserved']);
  });

  it('2xx for a milestone, a dispute, its assignment, a comment and its resolution: one effect each', async () => {
    const { id } = await orders.anOrderAfter(stepsUntil.inProgress, { milestones });
    const completed = await garbled(() => orders.post(`/orders/${id}/milestones/draft/complete`, {}));
    expect([...seen(completed), completed.data.data.milestones[0].status]).toEqual([201, undefined, 'COMPLETED']);
    const opened = await garbled(() => orders.do(id, 'dispute'));
    expect([...seen(opened), opened.data.data.order.status]).toEqual([201, undefined, 'DISPUTED']);
    expect(await countOf('disputes', 'order_id', id)).toBe(1);
    const path = `/disputes/${opened.data.data.id as string}`;
    const assigned = await garbled(() => orders.post(`${path}/assign`, { assignedTo: 'agent-3' }));
    expect([...seen(assigned), assigned.data.data.assignedTo]).toEqual([200, undefined, 'agent-3']);
    const commented = await garbled(() => orders.post(`${path}/comments`, { text: 'once' }));
    expect([...seen(commented), commented.data.data.text]).toEqual([201, undefined, 'once']);
    expect(await countOf('dispute_comments', 'dispute_id', opened.data.data.id)).toBe(1);
    const resolved = await garbled(() => orders.post(`${path}/resolve`, { decision: 'FULL_REFUND' }));
    expect([...seen(resolved), resolved.data.data.status]).toEqual([200, undefined, 'RESOLVED']);
    const types = await eventTypesOf(id);
    expect(types.toSorted()).toEqual([...new Set(types)].toSorted());
  });
});
