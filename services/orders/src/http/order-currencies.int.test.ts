import { startOrders, type RunningOrders } from '../testing/running-orders.js';

let orders: RunningOrders;

beforeAll(async () => {
  orders = await startOrders({ ESCROW_CURRENCIES: 'USDC' });
});

afterAll(async () => {
  await orders.stop();
});

describe('POST /orders where the escrow contracts hold only USDC', () => {
  const given = { buyerId: 'usr_1', sellerId: 'usr_2', amount: '5.00' };

  it('201 for USDC', async () => {
    expect(await orders.anOrder({ currency: 'USDC' })).toMatchObject({ currency: 'USDC', status: 'ORDER_CREATED' });
  });

  it.each([
    ['USD', ['currency must be one of USDC']],
    ['XLM', ['currency must be one of USDC']],
    ['EUR', ['currency must be one of USDC']],
    [undefined, ['currency is missing']],
  ])('400 VALIDATION_ERROR for %s', async (currency, validationErrors) => {
    const response = await orders.post('/orders', { ...given, currency });
    expect([response.status, response.code, response.details]).toMatchObject([400, 'VALIDATION_ERROR', { validationErrors }]);
  });

  it('400 VALIDATION_ERROR lists the currency with all other errors of the body', async () => {
    const response = await orders.post('/orders', { ...given, sellerId: 'usr_1', amount: 5, currency: 'XLM', colour: 'red' });
    expect([response.status, response.details['validationErrors']]).toEqual([
      400,
      expect.arrayContaining([
        'currency must be one of USDC',
        'amount must be a string',
        'colour is not a known field',
        'sellerId must not be the buyer',
      ]),
    ]);
  });
});
