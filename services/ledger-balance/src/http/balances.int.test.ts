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

describe('GET /users/{userId}/balance/transactions', () => {
  it('200 lists newest first, page by page, without gaps or repeats', async () => {
    const userId = await ledger.aUser();
    for (let index = 1; index <= 7; index += 1)
      await ledger.post(`/users/${userId}/balance/credit`, { amount: `${String(index)}.00`, reference: `r${String(index)}` });
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: { data: { reference: string }[]; hasMore: boolean; nextCursor: string | null } = (
        await ledger.get(`/users/${userId}/balance/transactions?limit=3${cursor === '' ? '' : `&cursor=${cursor}`}`)
      ).data;
      seen.push(...page.data.map(({ reference }) => reference));
      expect(page.hasMore).toBe(page.nextCursor !== null);
      cursor = page.nextCursor;
    }
    expect(seen).toEqual(['r7', 'r6', 'r5', 'r4', 'r3', 'r2', 'r1']);
  });

  it('200 shows each kind of change with its direction, its signed changes and the balances after it', async () => {
    const userId = await ledger.aUser({ available: '10.00' });
    await ledger.post(`/users/${userId}/balance/reserve`, { amount: '6.00', orderId: 'ord_9', reason: 'held' });
    await ledger.post(`/users/${userId}/balance/deduct-reserved`, { amount: '2.00', orderId: 'ord_9' });
    await ledger.post(`/users/${userId}/balance/release`, { amount: '4.00', orderId: 'ord_9' });
    const { data } = (await ledger.get(`/users/${userId}/balance/transactions`)).data;
    expect(data).toMatchObject([
      {
        type: 'RELEASE',
        direction: 'CREDIT',
        amount: '4.00',
        availableChange: '4.00',
        reservedChange: '-4.00',
        orderId: 'ord_9',
      },
      { type: 'DEDUCT', direction: 'DEBIT', amount: '2.00', availableChange: '0.00', reservedChange: '-2.00', orderId: 'ord_9' },
      {
        type: 'RESERVE',
        direction: 'DEBIT',
        amount: '6.00',
        availableChange: '-6.00',
        reservedChange: '6.00',
        description: 'held',
      },
      { type: 'CREDIT', direction: 'CREDIT', amount: '10.00', availableChange: '10.00', reservedChange: '0.00', orderId: null },
    ]);
    expect(data).toMatchObject([
      { availableAfter: '8.00', reservedAfter: '0.00', balanceAfter: '8.00' },
      { availableAfter: '4.00', reservedAfter: '4.00', balanceAfter: '4.00' },
      { availableAfter: '4.00', reservedAfter: '6.00', balanceAfter: '4.00' },
      { availableAfter: '10.00', reservedAfter: '0.00', balanceAfter: '10.00', reference: null },
    ]);
  });

  it.each(['limit=0', 'limit=101', 'limit=abc', 'cursor=tr_unknown', 'created_after=yesterday', 'sort=asc', 'limit=1&limit=2'])(
    '400 VALIDATION_ERROR for %s',
    async (query) => {
      const userId = await ledger.aUser({ available: '1.00' });
      const response = await ledger.get(`/users/${userId}/balance/transactions?${query}`);
      expect([response.status, response.code]).toEqual([400, 'VALIDATION_ERROR']);
    },
  );

  it("400 VALIDATION_ERROR for a cursor of another user's list", async () => {
    const [one, two] = [await ledger.aUser({ available: '1.00' }), await ledger.aUser({ available: '1.00' })];
    const { data } = (await ledger.get(`/users/${one}/balance/transactions`)).data as { data: { id: string }[] };
    const response = await ledger.get(`/users/${two}/balance/transactions?cursor=${data[0]?.id ?? ''}`);
    expect([response.status, response.code]).toEqual([400, 'VALIDATION_ERROR']);
  });

  it('200 filters by time', async () => {
    const userId = await ledger.aUser({ available: '1.00' });
    const past = encodeURIComponent('2020-01-01T00:00:00Z');
    expect((await ledger.get(`/users/${userId}/balance/transactions?created_after=${past}`)).data.data).toHaveLength(1);
    expect((await ledger.get(`/users/${userId}/balance/transactions?createdBefore=${past}`)).data.data).toHaveLength(0);
  });
});
