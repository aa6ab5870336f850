import { startLedger, type RunningLedger } from '../testing/running-ledger.js';

let ledger: RunningLedger;

beforeAll(async () => {
  ledger = await startLedger();
});

afterAll(async () => {
  await ledger.checkAndStop();
});

describe('POST /users/{userId}/balance/credit', () => {
  it('200 credits and publishes the balances before and after', async () => {
    const userId = await ledger.aUser();
    await ledger.post(`/users/${userId}/balance/credit`, { amount: '10.00' });
    const response = await ledger.post(`/users/${userId}/balance/credit`, { amount: '2.5', description: 'bonus' });
    expect(response.status).toBe(200);
    expect(response.data).toMatchObject({
      userId,
      available: '12.50',
      reserved: '0.00',
      total: '12.50',
      transferId: expect.stringMatching(/^tr_/) as string,
    });
    const [, event] = await ledger.eventsOf(userId, 2);
    expect(event).toMatchObject({
      type: 'balance.credited',
      aggregateType: 'Balance',
      aggregateVersion: 2,
      aggregatePart: 'USD',
      marketplaceId: 'mkt_default',
      payload: {
        userId,
        amount: '2.50',
        currency: 'USD',
        source: 'manual',
        previousAvailableBalance: '10.00',
        newAvailableBalance: '12.50',
      },
    });
  });

  it('200 with the first result for a repeated reference, which is credited once', async () => {
    const userId = await ledger.aUser();
    const first = await ledger.post(`/users/${userId}/balance/credit`, { amount: '10.00', reference: 'inv "1"\\' });
    await ledger.post(`/users/${userId}/balance/credit`, { amount: '1.00' });
    const again = await ledger.post(`/users/${userId}/balance/credit`, { amount: '10.00', reference: 'inv "1"\\' });
    expect(again.data).toEqual(first.data);
    expect((await ledger.get(`/users/${userId}/balance`)).data).toMatchObject({ available: '11.00' });
  });

  it('200 credits a reference once for many concurrent requests', async () => {
    const userId = await ledger.aUser();
    const responses = await Promise.all(
      Array.from({ length: 50 }, () => ledger.post(`/users/${userId}/balance/credit`, { amount: '10.00', reference: 'once' })),
    );
    expect(new Set(responses.map(({ data }) => JSON.stringify(data))).size).toBe(1);
    expect((await ledger.get(`/users/${userId}/balance`)).data).toMatchObject({ available: '10.00' });
  });

  it('409 REFERENCE_EXISTS for another amount, currency or operation', async () => {
    const userId = await ledger.aUser();
    await ledger.post(`/users/${userId}/balance/credit`, { amount: '10.00', reference: 'r' });
    const responses = [
      await ledger.post(`/users/${userId}/balance/credit`, { amount: '11.00', reference: 'r' }),
      await ledger.post(`/users/${userId}/balance/credit`, { amount: '10.00', currency: 'XLM', reference: 'r' }),
      await ledger.post(`/users/${userId}/balance/debit`, { amount: '10.00', reference: 'r' }),
    ];
    expect(responses.map(({ status, code }) => [status, code])).toEqual(responses.map(() => [409, 'REFERENCE_EXISTS']));
    expect((await ledger.get(`/users/${userId}/balance`)).data).toMatchObject({ available: '10.00' });
  });

  it('200 credits the same reference of another user', async () => {
    const [one, two] = [await ledger.aUser(), await ledger.aUser()];
    await ledger.post(`/users/${one}/balance/credit`, { amount: '10.00', reference: 'same' });
    expect((await ledger.post(`/users/${two}/balance/credit`, { amount: '7.00', reference: 'same' })).data).toMatchObject({
      available: '7.00',
    });
  });

  it('200 with the first result for a repeated operation id, also after other requests', async () => {
    const userId = await ledger.aUser();
    const operationId = 'op_credit_1';
    const first = await ledger.post(`/users/${userId}/balance/credit`, { amount: '3.00' }, { operationId });
    await ledger.post(`/users/${userId}/balance/credit`, { amount: '1.00' });
    expect((await ledger.post(`/users/${userId}/balance/credit`, { amount: '3.00' }, { operationId })).data).toEqual(first.data);
    expect((await ledger.get(`/users/${userId}/balance`)).data).toMatchObject({ available: '4.00' });
  });

  it('422 LIMIT_EXCEEDED when a balance would exceed 900,000,000,000', async () => {
    const userId = await ledger.aUser();
    await Promise.all(
      Array.from({ length: 9 }, () => ledger.post(`/users/${userId}/balance/credit`, { amount: '99999999999.99' })),
    );
    const response = await ledger.post(`/users/${userId}/balance/credit`, { amount: '10.00' });
    expect([response.status, response.code]).toEqual([422, 'LIMIT_EXCEEDED']);
    expect((await ledger.get(`/users/${userId}/balance`)).data).toMatchObject({ available: '899999999999.91' });
  });

  it.each([
    '0',
    '0.00',
    '-1.00',
    '+1',
    ' 1',
    '1e3',
    '01.00',
    '1.234',
    '100000000000',
    '١٢',
    '1,00',
    '',
    'ten',
    '0x10',
    '1.',
    '9'.repeat(400),
  ])('400 INVALID_AMOUNT for %j', async (amount) => {
    const userId = await ledger.aUser();
    for (const operation of ['credit', 'debit', 'release', 'deduct-reserved']) {
      const response = await ledger.post(`/users/${userId}/balance/${operation}`, { amount });
      expect([operation, response.status, response.code]).toEqual([operation, 400, 'INVALID_AMOUNT']);
    }
    const reserve = await ledger.post(`/users/${userId}/balance/reserve`, { amount });
    expect([reserve.status, reserve.code]).toEqual([400, 'VALIDATION_ERROR']);
  });

  it.each([
    ['a missing amount', {}],
    ['a null amount', { amount: null }],
    ['a number', { amount: 10 }],
    ['a huge number', { amount: 1e300 }],
    ['an object', { amount: { value: '1.00' } }],
    ['an unknown field', { amount: '1.00', note: 'x' }],
    ['an unknown currency', { amount: '1.00', currency: 'EUR' }],
    ['an empty reference', { amount: '1.00', reference: '' }],
    ['a reference that is too long', { amount: '1.00', reference: 'x'.repeat(256) }],
    ['a description that is too long', { amount: '1.00', description: 'x'.repeat(5_001) }],
    ['a bad amount and an unknown field', { amount: '-1', note: 'x' }],
    ['an array', []],
    ['a text', 'amount'],
  ])('400 VALIDATION_ERROR for %s, and nothing changes', async (_, body) => {
    const userId = await ledger.aUser();
    const response = await ledger.post(`/users/${userId}/balance/credit`, body);
    expect([response.status, response.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(response.details).toHaveProperty('validationErrors', expect.arrayContaining([expect.any(String)]));
    expect((await ledger.get(`/users/${userId}/balance`)).data).toMatchObject({ available: '0.00' });
  });

  it('200 stores control characters, quotes and other scripts unchanged', async () => {
    const userId = await ledger.aUser();
    const description = 'a "quote", a \\ and {braces}, null, Ünïcødé 💶\n\ttab';
    await ledger.post(`/users/${userId}/balance/credit`, { amount: '1.00', description });
    expect((await ledger.get(`/users/${userId}/balance/transactions`)).data).toMatchObject({ data: [{ description }] });
  });

  it('400 VALIDATION_ERROR for a NUL character or half a surrogate pair, which Postgres cannot store', async () => {
    const userId = await ledger.aUser();
    const response = await ledger.post(`/users/${userId}/balance/credit`, { amount: '1.00', description: 'a\u0000b' });
    const half = await ledger.post(`/users/${userId}/balance/credit`, { amount: '1.00', reference: 'a\ud800b' });
    expect([response.code, half.code]).toEqual(['VALIDATION_ERROR', 'VALIDATION_ERROR']);
  });
});

describe('POST /users/{userId}/balance/debit', () => {
  it('200 debits and publishes balance.debited', async () => {
    const userId = await ledger.aUser({ available: '10.00' });
    const response = await ledger.post(`/users/${userId}/balance/debit`, { amount: '4.00', reference: 'out-1' });
    expect(response.data).toMatchObject({ available: '6.00' });
    const [, event] = await ledger.eventsOf(userId, 2);
    expect(event).toMatchObject({
      type: 'balance.debited',
      payload: {
        amount: '4.00',
        destination: 'manual',
        destinationId: 'out-1',
        previousAvailableBalance: '10.00',
        newAvailableBalance: '6.00',
      },
    });
  });

  it('422 INSUFFICIENT_FUNDS with the available balance', async () => {
    const userId = await ledger.aUser({ available: '10.00' });
    const response = await ledger.post(`/users/${userId}/balance/debit`, { amount: '10.01' });
    expect([response.status, response.code]).toEqual([422, 'INSUFFICIENT_FUNDS']);
    expect(response.details).toMatchObject({ requested: '10.01', available: '10.00', currency: 'USD' });
  });

  it('200 debits seven decimal places in USDC; 400 INVALID_AMOUNT in USD', async () => {
    const userId = await ledger.aUser();
    await ledger.post(`/users/${userId}/balance/credit`, { amount: '1.00', currency: 'USDC' });
    const response = await ledger.post(`/users/${userId}/balance/debit`, { amount: '0.0000001', currency: 'USDC' });
    expect(response.data).toMatchObject({ available: '0.9999999' });
    const dollars = await ledger.post(`/users/${userId}/balance/debit`, { amount: '0.001' });
    expect([dollars.status, dollars.code]).toEqual([400, 'INVALID_AMOUNT']);
  });
});

describe('concurrent requests', () => {
  it('200 or 4xx for 200 requests on one user, and the sums are exact', async () => {
    const userId = await ledger.aUser({ available: '50.00' });
    const operations = Array.from({ length: 200 }, (_, index) => {
      const name = ['credit', 'debit', 'reserve', 'release'][index % 4] ?? 'credit';
      return ledger.post(`/users/${userId}/balance/${name}`, { amount: '1.00' }).then(({ status }) => ({ name, status }));
    });
    const responses = await Promise.all(operations);
    expect(responses.filter(({ status }) => status >= 500)).toEqual([]);
    const done = (name: string) =>
      BigInt(responses.filter((response) => response.name === name && response.status === 200).length);
    const available = 50n + done('credit') - done('debit') - done('reserve') + done('release');
    const reserved = done('reserve') - done('release');
    expect((await ledger.get(`/users/${userId}/balance`)).data).toMatchObject({
      available: `${String(available)}.00`,
      reserved: `${String(reserved)}.00`,
    });
  });

  it('200 for as many debits as the balance covers, 422 INSUFFICIENT_FUNDS for the others', async () => {
    const userId = await ledger.aUser({ available: '10.00' });
    const responses = await Promise.all(
      Array.from({ length: 40 }, () => ledger.post(`/users/${userId}/balance/debit`, { amount: '1.00' })),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(10);
    expect(responses.filter(({ code }) => code === 'INSUFFICIENT_FUNDS')).toHaveLength(30);
  });
});
