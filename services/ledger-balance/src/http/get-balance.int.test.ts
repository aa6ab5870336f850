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

  it('200 with the balance at a moment', async () => {
    const userId = await ledger.aUser();
    const moments: string[] = [];
    for (const [route, amount] of [
      ['credit', '10.00'],
      ['reserve', '4.00'],
      ['deduct-reserved', '1.00'],
    ] as const)
      moments.push((await ledger.post(`/users/${userId}/balance/${route}`, { amount })).data.updatedAt as string);
    const at = async (moment: string): Promise<unknown> => {
      const { available, reserved, total } = (await ledger.get(`/users/${userId}/balance?at=${encodeURIComponent(moment)}`)).data;
      return [available, reserved, total];
    };
    expect(await at('2020-01-01T00:00:00Z')).toEqual(['0.00', '0.00', '0.00']);
    expect(await Promise.all(moments.map(at))).toEqual([
      ['10.00', '0.00', '10.00'],
      ['6.00', '4.00', '10.00'],
      ['6.00', '3.00', '9.00'],
    ]);
    expect(await at('2999-01-01T00:00:00+02:00')).toEqual(['6.00', '3.00', '9.00']);
    const { data } = await ledger.get(`/users/${userId}/balance?at=${moments[1] ?? ''}`);
    expect(data.updatedAt).toBe(moments[1]);
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
      ledger.get(`/users/${userId}/balance?at=2026-01-31T12:00:00Z`, stranger),
      ledger.get(`/users/${userId}/balances`, stranger),
      ledger.get(`/users/${userId}/reservations`, stranger),
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
    for (const query of ['currency=EUR', 'currency=usd', 'verbose=1', 'at=yesterday']) {
      const response = await ledger.get(`/users/${userId}/balance?${query}`);
      expect([response.status, response.code]).toEqual([400, 'VALIDATION_ERROR']);
    }
  });
});
