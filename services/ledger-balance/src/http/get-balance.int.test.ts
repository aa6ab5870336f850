import { startLedger, type RunningLedger } from '../testing/running-ledger.js';

let ledger: RunningLedger;

beforeAll(async () => {
  ledger = await startLedger();
});

afterAll(async () => {
  await ledger.checkAndStop();
});

describe('GET /users/{userId}/balance', () => {
  it('200 with zero for a user without an account', async () => {
    const userId = await ledger.aUser();
    const response = await ledger.get(`/users/${userId}/balance`);
    expect(response.status).toBe(200);
    expect(response.data).toEqual({
      userId,
      available: '0.00',
      reserved: '0.00',
      total: '0.00',
      currency: 'USD',
      updatedAt: expect.stringMatching(/Z$/) as string,
    });
    expect(response.body.meta).toEqual({
      requestId: expect.any(String) as string,
      timestamp: expect.stringMatching(/Z$/) as string,
    });
  });

  it('200 with the balance of the requested currency', async () => {
    const userId = await ledger.aUser();
    await ledger.post(`/users/${userId}/balance/credit`, { amount: '5.00', currency: 'XLM' });
    expect((await ledger.get(`/users/${userId}/balance?currency=XLM`)).data).toMatchObject({
      available: '5.00',
      currency: 'XLM',
    });
    expect((await ledger.get(`/users/${userId}/balance`)).data).toMatchObject({ available: '0.00', currency: 'USD' });
  });

  it.each(['usr_nobody', 'usr_', 'ord_1', 'x', 'usr_a%2Fb'])('404 USER_NOT_FOUND for %s', async (userId) => {
    const response = await ledger.get(`/users/${userId}/balance`);
    expect([response.status, response.code]).toEqual([404, 'USER_NOT_FOUND']);
  });

  it("404 USER_NOT_FOUND for another marketplace's user, on every route", async () => {
    const userId = await ledger.aUser();
    await ledger.post(`/users/${userId}/balance/credit`, { amount: '1.00' });
    const stranger = { marketplaceId: 'mkt_other' } as const;
    const responses = await Promise.all([
      ledger.get(`/users/${userId}/balance`, stranger),
      ledger.get(`/users/${userId}/balance/transactions`, stranger),
      ledger.get(`/users/${userId}/balance/verify`, stranger),
      ledger.post(`/users/${userId}/balance/sync`, {}, stranger),
      ...['credit', 'debit', 'reserve', 'release', 'deduct-reserved'].map((name) =>
        ledger.post(`/users/${userId}/balance/${name}`, { amount: '1.00' }, stranger),
      ),
      ledger.post(`/users/${userId}/balance/cancel-reservation`, { orderId: 'ord_1' }, stranger),
    ]);
    expect(responses.map(({ status, code }) => `${String(status)} ${code ?? ''}`)).toEqual(
      responses.map(() => '404 USER_NOT_FOUND'),
    );
    expect((await ledger.get(`/users/${userId}/balance`)).data).toMatchObject({ available: '1.00' });
  });

  it('400 VALIDATION_ERROR for an unknown currency or query parameter', async () => {
    const userId = await ledger.aUser();
    for (const query of ['currency=EUR', 'currency=usd', 'verbose=1']) {
      const response = await ledger.get(`/users/${userId}/balance?${query}`);
      expect([response.status, response.code]).toEqual([400, 'VALIDATION_ERROR']);
    }
  });
});
