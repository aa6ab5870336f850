import { withdrawalHoldRequested } from '@holdfast/contracts/messages';
import { startLedger, type RunningLedger } from '../testing/running-ledger.js';

let ledger: RunningLedger;

beforeAll(async () => {
  ledger = await startLedger();
});

afterAll(async () => {
  await ledger.checkAndStop();
});

describe('GET /users/{userId}/reservations', () => {
  it('200 lists the active reservations of all kinds and currencies, newest first', async () => {
    const userId = await ledger.aUser({ available: '100.00' });
    await ledger.post(`/users/${userId}/balance/credit`, { amount: '5.00', currency: 'USDC' });
    await ledger.post(`/users/${userId}/balance/reserve`, { amount: '20.00', orderId: 'ord_1' });
    await ledger.post(`/users/${userId}/balance/reserve`, { amount: '7.00', orderId: 'ord_gone' });
    await ledger.post(`/users/${userId}/balance/reserve`, { amount: '10.00' });
    await ledger.post(`/users/${userId}/balance/reserve`, { amount: '5.00', currency: 'USDC' });
    await ledger.publish(withdrawalHoldRequested, 'wd_1', { withdrawalId: 'wd_1', userId, amount: '3.00', currency: 'USD' });
    await ledger.reply('balance.withdrawal_held', 'wd_1');
    await ledger.post(`/users/${userId}/balance/release`, { amount: '4.00', orderId: 'ord_1' });
    await ledger.post(`/users/${userId}/balance/cancel-reservation`, { orderId: 'ord_gone' });
    const { status, data } = await ledger.get(`/users/${userId}/reservations`);
    expect([status, data.hasMore, data.nextCursor]).toEqual([200, false, null]);
    expect(data.data).toMatchObject([
      { kind: 'withdrawal', orderId: null, amount: '3.00', currency: 'USD' },
      { kind: 'manual', orderId: null, amount: '5.00', currency: 'USDC' },
      { kind: 'manual', orderId: null, amount: '10.00', currency: 'USD' },
      { id: expect.stringMatching(/^res_/) as string, kind: 'order', orderId: 'ord_1', amount: '16.00', currency: 'USD' },
    ]);
  });

  it('200 with an empty list for a user without an account', async () => {
    expect((await ledger.get(`/users/${await ledger.aUser()}/reservations`)).data).toMatchObject({ data: [], hasMore: false });
  });

  it('200 page by page, also if the reservation of the cursor is used up by then', async () => {
    const userId = await ledger.aUser({ available: '100.00' });
    for (const orderId of ['ord_1', 'ord_2', 'ord_3'])
      await ledger.post(`/users/${userId}/balance/reserve`, { amount: '1.00', orderId });
    const first = (await ledger.get(`/users/${userId}/reservations?limit=2`)).data;
    expect(first).toMatchObject({ data: [{ orderId: 'ord_3' }, { orderId: 'ord_2' }], hasMore: true });
    await ledger.post(`/users/${userId}/balance/cancel-reservation`, { orderId: 'ord_2' });
    const second = (await ledger.get(`/users/${userId}/reservations?limit=2&cursor=${first.nextCursor as string}`)).data;
    expect(second).toMatchObject({ data: [{ orderId: 'ord_1' }], hasMore: false, nextCursor: null });
  });

  it('200 filters by time', async () => {
    const userId = await ledger.aUser({ available: '1.00' });
    await ledger.post(`/users/${userId}/balance/reserve`, { amount: '1.00' });
    const past = encodeURIComponent('2020-01-01T00:00:00Z');
    expect((await ledger.get(`/users/${userId}/reservations?created_after=${past}`)).data.data).toHaveLength(1);
    expect((await ledger.get(`/users/${userId}/reservations?createdBefore=${past}`)).data.data).toHaveLength(0);
  });

  it("400 VALIDATION_ERROR for another user's cursor and an unknown one", async () => {
    const [one, two] = [await ledger.aUser({ available: '1.00' }), await ledger.aUser({ available: '1.00' })];
    await ledger.post(`/users/${one}/balance/reserve`, { amount: '1.00' });
    const { data } = (await ledger.get(`/users/${one}/reservations`)).data as { data: { id: string }[] };
    for (const cursor of [data[0]?.id ?? '', 'res_unknown']) {
      const response = await ledger.get(`/users/${two}/reservations?cursor=${cursor}`);
      expect([response.status, response.code]).toEqual([400, 'VALIDATION_ERROR']);
    }
  });
});
