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

/** Credits a user up to the limit of a balance. */
async function fill(userId: UserId): Promise<void> {
  for (let credits = 0; credits < 9; credits += 1) {
    await ledger.post(`/users/${userId}/balance/credit`, { amount: '99999999999.00' });
  }
  await ledger.post(`/users/${userId}/balance/credit`, { amount: '9.00' });
}

async function aFundedOrder(orderId: OrderId) {
  const [buyerId, sellerId] = [await ledger.aUser({ available: '100.00' }), await ledger.aUser()];
  const funds = { orderId, userId: buyerId, amount: '100.00', currency: 'USD' } as const;
  await ledger.publish(message.orderReserveRequested, orderId, funds);
  await ledger.reply('balance.reservation_made', orderId);
  await ledger.publish(message.orderFundRequested, orderId, funds);
  await ledger.reply('balance.reserved_deducted', orderId);
  const escrow = { escrowId: `esc_${orderId.slice(4)}`, orderId, amount: '100.00', currency: 'USD' } as const;
  return { buyerId, sellerId, escrow };
}

const balanceOf = async (userId: UserId) => (await ledger.get(`/users/${userId}/balance`)).data;
const releasedAt = '2026-01-31T12:00:00.000000Z';

describe('a user whose balance has reached the limit', () => {
  it('is still paid from escrow', async () => {
    const { sellerId, escrow } = await aFundedOrder('ord_paid');
    await fill(sellerId);
    const paid = { platformFee: '5.00', netAmount: '95.00', releasedAt };
    await ledger.publish(message.escrowReleased, escrow.escrowId, { ...escrow, ...paid, sellerId });
    await ledger.reply('balance.escrow_settled', 'ord_paid');
    expect(await balanceOf(sellerId)).toMatchObject({ available: '900000000095.00' });
  });

  it('gets a deduction back when funding fails', async () => {
    const { buyerId, escrow } = await aFundedOrder('ord_back');
    await fill(buyerId);
    await ledger.publish(message.escrowFundingFailed, escrow.escrowId, { ...escrow, buyerId, reason: 'provider' });
    await ledger.reply('balance.deduction_restored', 'ord_back');
    expect(await balanceOf(buyerId)).toMatchObject({ available: '900000000000.00', reserved: '100.00' });
  });

  it('is not given back what is not in escrow: the run is stopped with its reason, and nothing is parked', async () => {
    const { buyerId, sellerId, escrow } = await aFundedOrder('ord_gone');
    const paid = { platformFee: '5.00', netAmount: '95.00', releasedAt };
    await ledger.publish(message.escrowReleased, escrow.escrowId, { ...escrow, ...paid, sellerId });
    await ledger.reply('balance.escrow_settled', 'ord_gone');
    await ledger.publish(message.escrowFundingFailed, escrow.escrowId, { ...escrow, buyerId, reason: 'provider' });
    expect(await ledger.reply('balance.settlement_contradicted', 'ord_gone')).toMatchObject({
      reason: 'the escrow account holds 0.00 and has to pay 100.00',
    });
    expect(await balanceOf(buyerId)).toMatchObject({ available: '0.00', reserved: '0.00' });
  });

  it('is credited with a deposit, however large it is', async () => {
    const userId = await ledger.aUser();
    await fill(userId);
    const deposit = { userId, currency: 'USD', operationId: '4294967297' } as const;
    await ledger.publish(message.balanceDepositReceived, userId, { ...deposit, amount: '21000000000.00' });
    await ledger.idle();
    expect(await balanceOf(userId)).toMatchObject({ available: '921000000000.00' });
    const other = await ledger.aUser();
    const large = { userId: other, currency: 'USD', operationId: '4294967298', amount: '123456789012.3456789' } as const;
    await ledger.publish(message.balanceDepositReceived, other, large);
    await ledger.idle();
    expect(await balanceOf(other)).toMatchObject({ available: '123456789012.3456789' });
  });

  it('stops a settlement with its reason when the balance cannot be stored', async () => {
    const { sellerId, escrow } = await aFundedOrder('ord_stop');
    await fill(sellerId);
    const deposit = { userId: sellerId, currency: 'USD', operationId: '4294967299', amount: '22337203685.00' } as const;
    await ledger.publish(message.balanceDepositReceived, sellerId, deposit);
    await ledger.idle();
    const paid = { platformFee: '5.00', netAmount: '95.00', releasedAt };
    await ledger.publish(message.escrowReleased, escrow.escrowId, { ...escrow, ...paid, sellerId });
    expect(await ledger.reply('balance.settlement_contradicted', 'ord_stop')).toMatchObject({
      reason: expect.stringContaining('922337203685.4775807'),
    });
  });
});
