import { startLedger, type RunningLedger } from '../testing/running-ledger.js';

let ledger: RunningLedger;

beforeAll(async () => {
  ledger = await startLedger();
});

afterAll(async () => {
  await ledger.checkAndStop();
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
