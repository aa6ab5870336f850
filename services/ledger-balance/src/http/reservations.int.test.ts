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
