import { eventually } from '@holdfast/shared/testing/eventually';
import { startCommitProxy, type CommitFault, type CommitProxy } from '@holdfast/shared/testing/postgres';
import type { Answer } from '@holdfast/shared/testing/services';
import { lived, startOrders, type RunningOrders } from '../testing/running-orders.js';

let proxy: CommitProxy;
let orders: RunningOrders;

beforeAll(async () => {
  orders = await startOrders({}, async (serverUrl) => {
    proxy = await startCommitProxy(serverUrl);
    return proxy.url;
  });
});

afterAll(async () => {
  await orders.stop();
  await proxy.close();
});

/** Sends a request whose COMMIT is struck at least once, while nothing else is being committed. */
async function struckBy(fault: CommitFault, request: () => Promise<Answer>): Promise<Answer> {
  await orders.idle();
  const struckBefore = proxy.struck();
  proxy.setFault(fault);
  const response = request();
  await eventually(() => {
    expect(proxy.struck()).toBeGreaterThan(struckBefore);
  });
  proxy.setFault('none');
  return response;
}

async function countOf(table: string, column: string, value: string): Promise<number> {
  const sql = `select count(*)::int as count from orders.${table} where ${column} = $1`;
  const [row] = await orders.database.asAdmin<{ readonly count: number }>(sql, [value]);
  return row?.count ?? 0;
}

const eventTypesOf = async (orderId: string) => (await orders.eventsOf(orderId)).map(({ type }) => type);
const seen = ({ status, code }: Answer) => [status, code];

const milestones = [
  { ref: 'draft', title: 'Draft', amount: '50.00' },
  { ref: 'final', title: 'Final', amount: '50.00' },
];

/** The first two have committed, the last one has not. */
describe.each(['garble-response', 'lose-response', 'lose-request'] as const)('where COMMIT meets %s', (fault) => {
  it('201 POST /orders creates one order', async () => {
    const buyerId = orders.aUser();
    const body = { buyerId, sellerId: orders.aUser(), amount: '100.00' };
    // Both users are known here by then, so that the only COMMIT is that of the order.
    await orders.post('/orders', body);
    const answer = await struckBy(fault, () => orders.post('/orders', body));
    expect([...seen(answer), answer.data.data.status]).toEqual([201, undefined, 'ORDER_CREATED']);
    expect(await countOf('orders', 'buyer_id', buyerId)).toBe(2);
    expect(await eventTypesOf(answer.data.data.id)).toEqual(['order.created']);
  });

  it('201 POST /orders with a client reference is not refused because of itself', async () => {
    const body = { buyerId: orders.aUser(), sellerId: orders.aUser(), amount: '100.00' };
    await orders.post('/orders', body);
    const clientOrderRef = `ref of ${fault}`;
    expect(seen(await struckBy(fault, () => orders.post('/orders', { ...body, clientOrderRef })))).toEqual([201, undefined]);
    expect(seen(await orders.post('/orders', { ...body, clientOrderRef }))).toEqual([409, 'CLIENT_ORDER_REF_EXISTS']);
  });

  it('201 POST /orders/{id}/reserve starts one saga and waits for its end', async () => {
    const { id } = await orders.anOrder();
    const answer = await struckBy(fault, () => orders.do(id, 'reserve'));
    expect([...seen(answer), answer.data.data.status]).toEqual([201, undefined, 'FUNDS_RESERVED']);
    expect(await countOf('saga_runs', 'aggregate_id', id)).toBe(1);
    expect(await eventTypesOf(id)).toEqual(['order.created', 'order.funds_reserved']);
  });

  it('201 POST /orders/{id}/resolution/dispute opens one dispute, 200 assigns it, 201 adds one comment', async () => {
    const { id } = await orders.anOrderAfter(lived.inProgress);
    const opened = await struckBy(fault, () => orders.do(id, 'dispute'));
    expect([...seen(opened), opened.data.data.order.status]).toEqual([201, undefined, 'DISPUTED']);
    expect(await countOf('disputes', 'order_id', id)).toBe(1);
    const disputeId = opened.data.data.id as string;
    const assigned = await struckBy(fault, () => orders.post(`/disputes/${disputeId}/assign`, { assignedTo: 'agent-3' }));
    expect([...seen(assigned), assigned.data.data.assignedTo]).toEqual([200, undefined, 'agent-3']);
    const commented = await struckBy(fault, () => orders.post(`/disputes/${disputeId}/comments`, { text: 'once' }));
    expect([...seen(commented), commented.data.data.text]).toEqual([201, undefined, 'once']);
    expect(await countOf('dispute_comments', 'dispute_id', disputeId)).toBe(1);
    expect((await eventTypesOf(id)).slice(-3)).toEqual(['dispute.opened', 'order.disputed', 'dispute.under_review']);
  });

  it('201 POST /orders/{id}/milestones/{ref}/complete completes it once', async () => {
    const { id } = await orders.anOrderAfter(lived.inProgress, { milestones });
    const complete = () => orders.post(`/orders/${id}/milestones/draft/complete`, {});
    expect(seen(await struckBy(fault, complete))).toEqual([201, undefined]);
    expect(seen(await complete())).toEqual([400, 'INVALID_STATE']);
    expect((await eventTypesOf(id)).filter((type) => type === 'escrow.milestone_completed')).toHaveLength(1);
  });
});
