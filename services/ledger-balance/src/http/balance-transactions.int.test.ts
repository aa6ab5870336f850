import { startLedger, type RunningLedger } from '../testing/running-ledger.js';

let ledger: RunningLedger;

beforeAll(async () => {
  ledger = await startLedger();
});

afterAll(async () => {
  await ledger.checkAndStop();
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
