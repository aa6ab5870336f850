import { startLedger, type RunningLedger } from '../testing/running-ledger.js';

let ledger: RunningLedger;

beforeAll(async () => {
  ledger = await startLedger();
});

afterAll(async () => {
  await ledger.checkAndStop();
});

describe('GET /users/{userId}/balances', () => {
  it('200 lists every currency that the user has or had, sorted by currency', async () => {
    const userId = await ledger.aUser({ available: '10.00' });
    await ledger.post(`/users/${userId}/balance/reserve`, { amount: '4.00' });
    await ledger.post(`/users/${userId}/balance/credit`, { amount: '3.00', currency: 'XLM' });
    await ledger.post(`/users/${userId}/balance/debit`, { amount: '3.00', currency: 'XLM' });
    const { status, data } = await ledger.get(`/users/${userId}/balances`);
    expect([status, data]).toEqual([
      200,
      {
        success: true,
        data: [
          {
            userId,
            available: '6.00',
            reserved: '4.00',
            total: '10.00',
            currency: 'USD',
            updatedAt: expect.stringMatching(/Z$/) as string,
          },
          expect.objectContaining({ currency: 'XLM', total: '0.00' }) as object,
        ],
        hasMore: false,
        nextCursor: null,
      },
    ]);
    expect(data.data[0]).toEqual((await ledger.get(`/users/${userId}/balance`)).data);
  });

  it('200 with an empty list for a user without a transaction, also after a refused one', async () => {
    const userId = await ledger.aUser();
    await ledger.post(`/users/${userId}/balance/debit`, { amount: '1.00' });
    expect((await ledger.get(`/users/${userId}/balances`)).data).toMatchObject({ data: [], hasMore: false });
  });

  it('200 page by page', async () => {
    const userId = await ledger.aUser();
    for (const currency of ['XLM', 'USD', 'USDC'])
      await ledger.post(`/users/${userId}/balance/credit`, { amount: '1.00', currency });
    const first = (await ledger.get(`/users/${userId}/balances?limit=2`)).data;
    expect(first).toMatchObject({ data: [{ currency: 'USD' }, { currency: 'USDC' }], hasMore: true, nextCursor: 'USDC' });
    const second = (await ledger.get(`/users/${userId}/balances?cursor=${first.nextCursor as string}`)).data;
    expect(second).toMatchObject({ data: [{ currency: 'XLM' }], hasMore: false, nextCursor: null });
  });

  it.each(['limit=0', 'cursor=XLM', 'cursor=EUR', 'currency=USD'])('400 VALIDATION_ERROR for %s', async (query) => {
    const userId = await ledger.aUser({ available: '1.00' });
    const response = await ledger.get(`/users/${userId}/balances?${query}`);
    expect([response.status, response.code]).toEqual([400, 'VALIDATION_ERROR']);
  });
});
