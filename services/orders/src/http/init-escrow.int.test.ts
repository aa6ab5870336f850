import * as message from '@holdfast/contracts/messages';
import type { TestCaller } from '@holdfast/testing/services';
import { reply, type Responder } from '../testing/simulated-services.js';
import { initEscrow, newBuyer, ordersOfBuyer, projectStatusOf, seen, type Buyer, type Init } from '../testing/buyers.js';
import { startOrders, type RunningOrders } from '../testing/running-orders.js';

let orders: RunningOrders;

beforeAll(async () => {
  orders = await startOrders();
});

afterAll(async () => {
  await orders.stop();
});

const aBuyer = () => newBuyer(orders);
const init = (buyer: Buyer, given: Init, at: Pick<RunningOrders, 'post'> = orders) => initEscrow(at, buyer, given);
const statusOf = (buyer: Buyer) => projectStatusOf(orders, buyer);
const ordersOf = (buyer: Buyer) => ordersOfBuyer(orders, buyer);

async function openRunsOf(buyer: Buyer): Promise<readonly object[]> {
  const ids = (await ordersOf(buyer)).map(({ id }) => id);
  return orders.database.asAdmin(
    `select * from orders.saga_runs where closed_at is null and aggregate_id = any('{${ids.join()}}')`,
  );
}

const creationFails: Responder = ({ escrowId, orderId }) => [
  reply(message.escrowCreationFailed, { escrowId, orderId, reason: 'the provider refused' }),
];
const fundingFails: Responder = ({ orderId, userId, amount, currency }) => [
  reply(message.balanceDeductionRestored, {
    orderId,
    userId,
    amount,
    currency,
    availableBalance: '0.00',
    reservedBalance: '100.00',
  }),
];

describe('POST /escrow/init', () => {
  it('creates, reserves, deploys and funds an order; the project is in progress', async () => {
    const buyer = await aBuyer();
    const seller = orders.aUser();
    const response = await init(buyer, { seller_id: seller, amount: 99.99 });
    const [order] = await ordersOf(buyer);
    expect(response.body).toEqual({
      code: 200,
      type: 'success',
      ok: true,
      message: 'Escrow funded',
      data: {
        escrow_id: order?.escrow?.id,
        project_id: buyer.projectId,
        buyer_id: buyer.id,
        seller_id: seller,
        amount: 99.99,
        currency: 'USDC',
        status: 'funded',
        created_at: order?.createdAt,
      },
    });
    expect(order).toMatchObject({
      status: 'IN_PROGRESS',
      amount: '99.99',
      title: 'A website',
      metadata: { projectId: buyer.projectId },
    });
    expect(await statusOf(buyer)).toBe('in_progress');
    expect((await orders.eventsOf(order?.id ?? '')).map(({ type }) => type)).toEqual([
      'order.created',
      'order.funds_reserved',
      'order.escrow_creating',
      'order.escrow_funding',
      'escrow.funding_started',
      'order.escrow_funded',
      'order.in_progress',
    ]);
    expect(await openRunsOf(buyer)).toEqual([]);
  });

  it('returns the result of the first request when it is repeated, also after the release', async () => {
    const buyer = await aBuyer();
    const seller_id = orders.aUser();
    const first = (await init(buyer, { seller_id })).data;
    expect((await init(buyer, { seller_id })).data).toEqual(first);
    await orders.post('/escrow/release', { escrow_id: first.escrow_id }, buyer.by);
    expect((await init(buyer, { seller_id })).data).toMatchObject({ ...first, status: 'released', released_amount: 100 });
    expect(await ordersOf(buyer)).toHaveLength(1);
  });

  it('of two requests at once, also of two replicas, starts one order and both get its result', async () => {
    const buyer = await aBuyer();
    const seller_id = orders.aUser();
    const responses = await Promise.all(
      [orders, orders.replica, orders, orders.replica].map((replica) => init(buyer, { seller_id }, replica)),
    );
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(new Set(responses.map(({ data }) => data.escrow_id as string)).size).toBe(1);
    expect(await ordersOf(buyer)).toHaveLength(1);
  });

  it('of two different requests at once accepts one', async () => {
    const buyer = await aBuyer();
    const [one, other] = [orders.aUser(), orders.aUser()];
    const responses = await Promise.all([init(buyer, { seller_id: one }), init(buyer, { seller_id: other }, orders.replica)]);
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    expect(await ordersOf(buyer)).toHaveLength(1);
  });

  it('404 for an unknown project, for the project of another person, and for an unknown seller; 422 for oneself', async () => {
    const [buyer, other] = [await aBuyer(), await aBuyer()];
    const seller_id = orders.aUser();
    for (const project_id of ['prj_unknown', 'nonsense', other.projectId])
      expect(seen(await init(buyer, { seller_id, project_id }))).toEqual([404, 'This project does not exist.']);
    expect((await init(buyer, { seller_id: 'usr_unknown' })).status).toBe(404);
    expect((await init(buyer, { seller_id: buyer.id })).body).toMatchObject({
      code: 422,
      errors: ['seller_id must not be yourself'],
    });
    expect(await ordersOf(buyer)).toEqual([]);
    expect(await statusOf(buyer)).toBe('open');
  });
});

describe('a step of init that fails', () => {
  const details = { requested: '100.00', available: '1.00', currency: 'USDC' };
  const refused: Responder = (command) => [
    reply(message.balanceReservationRefused, { ...command, code: 'INSUFFICIENT_FUNDS', details }),
  ];
  const deductionRefused: Responder = ({ orderId, userId, amount, currency }) => [
    reply(message.balanceDeductionRefused, { orderId, userId, amount, currency, code: 'RESERVE_NOT_FOUND', details: {} }),
  ];

  it.each([
    ['reserve', message.orderReserveRequested, refused, [400, 'Insufficient balance to fund escrow']],
    ['create-escrow', message.escrowDeployRequested, creationFails, [503, expect.stringContaining('the provider refused')]],
    ['fund (deduction refused)', message.orderFundRequested, deductionRefused, [503, expect.stringContaining('available again')]],
    ['fund', message.orderFundRequested, fundingFails, [503, expect.stringContaining('available again')]],
  ])(
    '%s: the order is canceled, the reason is in the response, and the next attempt works',
    async (_, command, responder, expected) => {
      const buyer = await aBuyer();
      const seller_id = orders.aUser();
      orders.simulated.replyNextWith(buyer.id, command, responder);
      expect(seen(await init(buyer, { seller_id }))).toEqual(expected);
      const [failed] = await ordersOf(buyer);
      expect(failed).toMatchObject({ status: 'CLOSED', closeReason: 'CANCELED' });
      expect((await orders.eventsOf(failed?.id ?? '')).map(({ type }) => type)).toContain('order.canceled');
      expect(await openRunsOf(buyer)).toEqual([]);
      expect(await statusOf(buyer)).toBe('open');
      expect((await init(buyer, { seller_id })).status).toBe(200);
      expect(await statusOf(buyer)).toBe('in_progress');
    },
  );
});

describe('POST /escrow/release', () => {
  const release = (escrow_id: string, by: TestCaller) => orders.post('/escrow/release', { escrow_id }, by);

  it('releases the escrow of its buyer; the project is completed', async () => {
    const buyer = await aBuyer();
    const { escrow_id } = (await init(buyer, { seller_id: orders.aUser() })).data;
    const released = await release(escrow_id, buyer.by);
    expect(released.body).toEqual({
      code: 200,
      type: 'success',
      ok: true,
      message: 'Escrow released',
      data: { escrow_id, status: 'released', released_amount: 100, released_at: expect.stringMatching(/Z$/) },
    });
    expect(await statusOf(buyer)).toBe('completed');
    expect(seen(await release(escrow_id, buyer.by))).toEqual([400, 'Escrow not releasable']);
    expect((await orders.patch(`/projects/${buyer.projectId}`, { status: 'canceled' }, buyer.by)).status).toBe(400);
  });

  it('401 for the seller and for strangers, 404 for an unknown escrow', async () => {
    const buyer = await aBuyer();
    const seller_id = orders.aUser();
    const { escrow_id } = (await init(buyer, { seller_id })).data;
    for (const id of [seller_id, orders.aUser()])
      expect(seen(await release(escrow_id, { type: 'account', id, scopes: [] }))).toEqual([401, 'Only the buyer can release']);
    for (const unknown of ['esc_unknown', 'nonsense'])
      expect(seen(await release(unknown, buyer.by))).toEqual([404, 'This escrow does not exist.']);
    expect(await statusOf(buyer)).toBe('in_progress');
  });
});
