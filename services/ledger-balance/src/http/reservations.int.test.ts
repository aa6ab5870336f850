import { withdrawalReserveRequested } from '@holdfast/contracts/messages';
import { startLedger, type RunningLedger } from '../testing/running-ledger.js';

let ledger: RunningLedger;

beforeAll(async () => {
  ledger = await startLedger();
});

afterAll(async () => {
  await ledger.checkAndStop();
});

describe('reservations', () => {
  it('200 reserve, release and deduct-reserved move the given amount', async () => {
    const userId = await ledger.aUser({ available: '100.00' });
    expect((await ledger.post(`/users/${userId}/balance/reserve`, { amount: '60.00', orderId: 'ord_1' })).data).toMatchObject({
      available: '40.00',
      reserved: '60.00',
      total: '100.00',
    });
    expect(
      (await ledger.post(`/users/${userId}/balance/release`, { amount: '10.00', orderId: 'ord_1', reason: 'less' })).data,
    ).toMatchObject({ available: '50.00', reserved: '50.00' });
    expect(
      (await ledger.post(`/users/${userId}/balance/deduct-reserved`, { amount: '50.00', order_id: 'ord_1' })).data,
    ).toMatchObject({ available: '50.00', reserved: '0.00', total: '50.00' });
    const events = await ledger.eventsOf(userId, 4);
    expect(events.slice(1)).toMatchObject([
      {
        type: 'balance.reserved',
        payload: {
          orderId: 'ord_1',
          amount: '60.00',
          previousReservedBalance: '0.00',
          newReservedBalance: '60.00',
          previousAvailableBalance: '100.00',
          newAvailableBalance: '40.00',
        },
      },
      {
        type: 'balance.released',
        payload: { orderId: 'ord_1', amount: '10.00', reason: 'less', newReservedBalance: '50.00', newAvailableBalance: '50.00' },
      },
      {
        type: 'balance.released',
        payload: {
          orderId: 'ord_1',
          amount: '50.00',
          reason: 'deducted',
          newReservedBalance: '0.00',
          newAvailableBalance: '50.00',
        },
      },
    ]);
    expect(events.map(({ aggregateVersion }) => aggregateVersion)).toEqual([1, 2, 3, 4]);
  });

  it('422 INSUFFICIENT_FUNDS on reserve beyond the available balance', async () => {
    const userId = await ledger.aUser({ available: '1.00' });
    const response = await ledger.post(`/users/${userId}/balance/reserve`, { amount: '1.01' });
    expect([response.status, response.code]).toEqual([422, 'INSUFFICIENT_FUNDS']);
  });

  it('400 RESERVATION_EXCEEDED and INVALID_RESERVED_DEDUCTION beyond the reservations of the order, or the manual ones', async () => {
    const userId = await ledger.aUser({ available: '100.00' });
    await ledger.post(`/users/${userId}/balance/reserve`, { amount: '20.00', orderId: 'ord_1' });
    await ledger.post(`/users/${userId}/balance/reserve`, { amount: '10.00' });
    for (const body of [{ amount: '20.01', orderId: 'ord_1' }, { amount: '10.01' }, { amount: '0.01', orderId: 'ord_2' }]) {
      const release = await ledger.post(`/users/${userId}/balance/release`, body);
      expect([release.status, release.code]).toEqual([400, 'RESERVATION_EXCEEDED']);
      const deduct = await ledger.post(`/users/${userId}/balance/deduct-reserved`, body);
      expect([deduct.status, deduct.code]).toEqual([400, 'INVALID_RESERVED_DEDUCTION']);
    }
    expect((await ledger.get(`/users/${userId}/balance`)).data).toMatchObject({ available: '70.00', reserved: '30.00' });
  });

  it('200 cancel-reservation releases everything of the order; 404 RESERVATION_NOT_FOUND the second time', async () => {
    const userId = await ledger.aUser({ available: '100.00' });
    await ledger.post(`/users/${userId}/balance/reserve`, { amount: '20.00', orderId: 'ord_1' });
    await ledger.post(`/users/${userId}/balance/reserve`, { amount: '5.00', orderId: 'ord_1' });
    await ledger.post(`/users/${userId}/balance/reserve`, { amount: '7.00' });
    expect((await ledger.post(`/users/${userId}/balance/cancel-reservation`, { orderId: 'ord_1' })).data).toMatchObject({
      available: '93.00',
      reserved: '7.00',
    });
    const again = await ledger.post(`/users/${userId}/balance/cancel-reservation`, { orderId: 'ord_1' });
    expect([again.status, again.code]).toEqual([404, 'RESERVATION_NOT_FOUND']);
    const missing = await ledger.post(`/users/${userId}/balance/cancel-reservation`, {});
    expect([missing.status, missing.code]).toEqual([400, 'VALIDATION_ERROR']);
  });

  it('200 cancel-reservation with the first result for a repeated operation id', async () => {
    const userId = await ledger.aUser({ available: '10.00' });
    await ledger.post(`/users/${userId}/balance/reserve`, { amount: '10.00', orderId: 'ord_1' });
    const first = await ledger.post(
      `/users/${userId}/balance/cancel-reservation`,
      { orderId: 'ord_1' },
      { operationId: 'op_cancel_1' },
    );
    const again = await ledger.post(
      `/users/${userId}/balance/cancel-reservation`,
      { orderId: 'ord_1' },
      { operationId: 'op_cancel_1' },
    );
    expect(again.data).toEqual(first.data);
  });

  it('422 USER_NOT_ACTIVE when a suspended user reserves; 200 for a credit', async () => {
    const userId = await ledger.aUser({ available: '10.00' });
    await ledger.publishUserStatus(userId, 'SUSPENDED');
    const response = await ledger.post(`/users/${userId}/balance/reserve`, { amount: '1.00' });
    expect([response.status, response.code]).toEqual([422, 'USER_NOT_ACTIVE']);
    expect((await ledger.post(`/users/${userId}/balance/credit`, { amount: '1.00' })).status).toBe(200);
  });

  it('400 VALIDATION_ERROR for a field in camel case and in snake case', async () => {
    const userId = await ledger.aUser({ available: '10.00' });
    const response = await ledger.post(`/users/${userId}/balance/reserve`, {
      amount: '1.00',
      orderId: 'ord_1',
      order_id: 'ord_1',
    });
    expect([response.status, response.code]).toEqual([400, 'VALIDATION_ERROR']);
  });
});

describe('GET /users/{userId}/reservations', () => {
  it('200 lists the active reservations of all kinds and currencies, newest first', async () => {
    const userId = await ledger.aUser({ available: '100.00' });
    await ledger.post(`/users/${userId}/balance/credit`, { amount: '5.00', currency: 'USDC' });
    await ledger.post(`/users/${userId}/balance/reserve`, { amount: '20.00', orderId: 'ord_1' });
    await ledger.post(`/users/${userId}/balance/reserve`, { amount: '7.00', orderId: 'ord_gone' });
    await ledger.post(`/users/${userId}/balance/reserve`, { amount: '10.00' });
    await ledger.post(`/users/${userId}/balance/reserve`, { amount: '5.00', currency: 'USDC' });
    await ledger.publish(withdrawalReserveRequested, 'wd_1', { withdrawalId: 'wd_1', userId, amount: '3.00', currency: 'USD' });
    await ledger.reply('balance.withdrawal_reserved', 'wd_1');
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
