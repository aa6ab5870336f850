import { startOrders, type RunningOrders } from '../testing/running-orders.js';

let orders: RunningOrders;

beforeAll(async () => {
  orders = await startOrders({ ORDER_AMOUNT_MAX: '60000.00' }, { replicaEnv: { ESCROW_CURRENCIES: 'USDC' } });
});

afterAll(async () => {
  await orders.stop();
});

const another = { marketplaceId: 'mkt_other', type: 'api_key', id: 'key_other' } as const;

describe('POST /orders', () => {
  it('201 with the given fields and the fee that applies', async () => {
    const metadata = { z: 1, platformFee: '2.5', a: { deep: true } };
    const milestones = [
      { ref: 'draft', title: 'Draft', amount: '40.00' },
      { ref: 'final', title: 'Final', amount: '60' },
    ];
    const given = { title: 'Logo', description: 'Two parts', clientOrderRef: 'cart-1', metadata, milestones, currency: 'USDC' };
    const order = await orders.anOrder(given);
    expect(order).toMatchObject({
      ...given,
      status: 'ORDER_CREATED',
      amount: '100.00',
      platformFee: 2.5,
      escrow: null,
      dispute: null,
      closeReason: null,
      milestones: [
        { ref: 'draft', title: 'Draft', amount: '40.00', status: 'OPEN', completedAt: null },
        { ref: 'final', title: 'Final', amount: '60.00', status: 'OPEN', completedAt: null },
      ],
    });
    expect(await orders.orderNow(order.id)).toEqual(order);
    expect(JSON.stringify((await orders.orderNow(order.id)).metadata)).toBe(JSON.stringify(metadata));
    expect((await orders.get(`/orders/${order.id}/milestones`)).data).toEqual({
      success: true,
      data: order.milestones,
      hasMore: false,
      nextCursor: null,
    });
  });

  it('409 CLIENT_ORDER_REF_EXISTS names the order that has the reference, also for concurrent requests', async () => {
    const [buyerId, sellerId] = [orders.aUser(), orders.aUser()];
    const request = () => orders.post('/orders', { buyerId, sellerId, amount: '5.00', clientOrderRef: 'cart-2' });
    const responses = await Promise.all(Array.from({ length: 20 }, request));
    const [winner, ...more] = responses.filter(({ status }) => status === 201);
    expect(more).toEqual([]);
    const refused = responses.filter(({ status }) => status !== 201);
    expect(new Set(refused.map(({ code }) => code))).toEqual(new Set(['CLIENT_ORDER_REF_EXISTS']));
    expect(new Set(refused.map(({ details }) => details['orderId']))).toEqual(new Set([winner?.data.data.id]));
    const elsewhere = await orders.anOrder({ clientOrderRef: 'cart-2' }, another);
    expect(elsewhere.clientOrderRef).toBe('cart-2');
  });

  it('400 VALIDATION_ERROR lists every error of the body', async () => {
    const response = await orders.post('/orders', { buyerId: 'usr_1', sellerId: 'usr_1', amount: 5, colour: 'red' });
    expect([response.status, (response.details['validationErrors'] as unknown[]).length]).toEqual([400, 3]);
  });
});

describe('POST /orders where the escrow contracts hold only USDC', () => {
  const given = { buyerId: 'usr_1', sellerId: 'usr_2', amount: '5.00' };

  it('201 for USDC', async () => {
    const parties = { buyerId: orders.aUser(), sellerId: orders.aUser() };
    const { status, data } = await orders.replica.post('/orders', { ...given, ...parties, currency: 'USDC' });
    expect([status, data.data]).toMatchObject([201, { currency: 'USDC', status: 'ORDER_CREATED' }]);
  });

  it.each([
    ['USD', ['currency must be one of USDC']],
    ['XLM', ['currency must be one of USDC']],
    ['EUR', ['currency must be one of USDC']],
    [undefined, ['currency is missing']],
  ])('400 VALIDATION_ERROR for %s', async (currency, validationErrors) => {
    const response = await orders.replica.post('/orders', { ...given, currency });
    expect([response.status, response.code, response.details]).toMatchObject([400, 'VALIDATION_ERROR', { validationErrors }]);
  });

  it('400 VALIDATION_ERROR lists the currency with all other errors of the body', async () => {
    const response = await orders.replica.post('/orders', {
      ...given,
      sellerId: 'usr_1',
      amount: 5,
      currency: 'XLM',
      colour: 'red',
    });
    expect([response.status, response.details['validationErrors']]).toEqual([
      400,
      expect.arrayContaining([
        'currency must be one of USDC',
        expect.stringContaining('amount must be a decimal string with a point'),
        'colour is not a known field',
        'sellerId must not be the buyer',
      ]),
    ]);
  });
});
