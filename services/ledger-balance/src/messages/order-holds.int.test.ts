import * as message from '@holdfast/contracts/messages';
import type { OrderId, UserId } from '@holdfast/kernel/ids';
import { startLedger, type RunningLedger } from '../testing/running-ledger.js';

let ledger: RunningLedger;

beforeAll(async () => {
  ledger = await startLedger();
});

afterAll(async () => {
  await ledger.checkAndStop();
});

async function aReservedOrder(orderId: OrderId): Promise<UserId> {
  const userId = await ledger.aUser({ available: '130.00' });
  await ledger.publish(message.orderReserveRequested, orderId, { orderId, userId, amount: '100.00', currency: 'USD' });
  await ledger.reply('balance.hold_placed', orderId);
  return userId;
}

describe('an order of which a part was deducted by hand', () => {
  it('is not funded: the reply is RESERVE_NOT_FOUND with the amounts, and the rest stays reserved', async () => {
    const orderId = 'ord_less';
    const userId = await aReservedOrder(orderId);
    await ledger.post(`/users/${userId}/balance/deduct-reserved`, { amount: '30.00', orderId });
    await ledger.publish(message.orderFundRequested, orderId, { orderId, userId, amount: '100.00', currency: 'USD' });
    expect(await ledger.reply('balance.deduction_refused', orderId)).toMatchObject({
      code: 'RESERVE_NOT_FOUND',
      details: { requested: '100.00', reserved: '70.00', currency: 'USD' },
    });
    expect((await ledger.get(`/users/${userId}/balance`)).data).toMatchObject({ available: '30.00', reserved: '70.00' });
  });

  it('is funded after POST /users/{userId}/balance/reserve with its id has reserved the rest', async () => {
    const orderId = 'ord_topped';
    const userId = await aReservedOrder(orderId);
    const funds = { orderId, userId, amount: '100.00', currency: 'USD' } as const;
    await ledger.post(`/users/${userId}/balance/deduct-reserved`, { amount: '30.00', orderId });
    await ledger.publish(message.orderFundRequested, orderId, funds);
    await ledger.reply('balance.deduction_refused', orderId);
    expect((await ledger.post(`/users/${userId}/balance/reserve`, { amount: '30.00', orderId })).status).toBe(200);
    await ledger.publish(message.orderFundRequested, orderId, funds);
    expect(await ledger.reply('balance.reserved_deducted', orderId)).toMatchObject({ amount: '100.00', reservedBalance: '0.00' });
    expect((await ledger.get(`/users/${userId}/reservations`)).data.data).toEqual([]);
  });

  it.each([
    ['30.00', '70.00', '100.00'],
    ['100.00', '0.00', '30.00'],
  ])('of %s is canceled and gets %s back', async (deducted, freed, available) => {
    const orderId: OrderId = `ord_${freed.slice(0, -3)}back`;
    const userId = await aReservedOrder(orderId);
    await ledger.post(`/users/${userId}/balance/deduct-reserved`, { amount: deducted, orderId });
    await ledger.publish(message.orderCancelRequested, orderId, { orderId, userId, amount: '100.00', currency: 'USD' });
    expect(await ledger.reply('balance.hold_freed', orderId)).toMatchObject({ amount: freed, availableBalance: available });
    expect((await ledger.get(`/users/${userId}/balance`)).data).toMatchObject({ available, reserved: '0.00' });
  });
});
