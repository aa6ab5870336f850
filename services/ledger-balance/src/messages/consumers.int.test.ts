import * as message from '@holdfast/contracts/messages';
import type { OrderId, UserId } from '@holdfast/kernel/ids';
import { formatUnits } from '@holdfast/kernel/money';
import { startLedger, type RunningLedger } from '../testing/running-ledger.js';

let ledger: RunningLedger;

beforeAll(async () => {
  ledger = await startLedger();
});

afterAll(async () => {
  await ledger.checkAndStop();
});

const feesLegs = `
  select coalesce(sum(legs.units), 0) as units
  from ledger_balance.legs
  join ledger_balance.accounts on accounts.id = legs.account_id
  where accounts.kind = 'platform' and accounts.owner = 'fees'`;

async function feesTaken(): Promise<string> {
  const [row] = await ledger.database.asAdmin<{ readonly units: string }>(feesLegs);
  return formatUnits(BigInt(row?.units ?? 0));
}

const releasedAt = '2026-01-31T12:00:00.000000Z';

async function aFundedOrder(orderId: OrderId) {
  const [buyerId, sellerId] = [await ledger.aUser({ available: '100.00' }), await ledger.aUser()];
  const funds = { orderId, userId: buyerId, amount: '100.00', currency: 'USD' } as const;
  await ledger.publish(message.orderReserveRequested, orderId, funds);
  await ledger.reply('balance.reservation_made', orderId);
  await ledger.publish(message.orderFundRequested, orderId, funds);
  await ledger.reply('balance.reserved_deducted', orderId);
  return {
    buyerId,
    sellerId,
    orderId,
    escrow: { escrowId: `esc_${orderId.slice(4)}`, orderId, amount: '100.00', currency: 'USD' } as const,
  };
}

describe('the funds of an order', () => {
  it('are reserved, moved to escrow, and released to the seller net of the fee', async () => {
    const { buyerId, sellerId, escrow } = await aFundedOrder('ord_release');
    await ledger.publish(message.escrowReleased, escrow.escrowId, {
      ...escrow,
      sellerId,
      platformFee: '5.00',
      netAmount: '95.00',
      releasedAt,
    });
    expect(await ledger.reply('balance.escrow_settled', 'ord_release')).toMatchObject({
      fee: '5.00',
      payouts: [{ userId: sellerId, amount: '95.00', newAvailableBalance: '95.00' }],
    });
    expect((await ledger.get(`/users/${sellerId}/balance`)).data).toMatchObject({ available: '95.00' });
    expect((await ledger.get(`/users/${buyerId}/balance`)).data).toMatchObject({ available: '0.00', reserved: '0.00' });
    expect(await feesTaken()).toBe('5.00');
    expect(
      (await ledger.eventsOf(buyerId, 3)).map(({ type, payload }) => [type, (payload as { reason?: string }).reason]),
    ).toEqual([
      ['balance.credited', undefined],
      ['balance.reserved', undefined],
      ['balance.released', 'escrow_funded'],
    ]);
  });

  it('are refunded to the buyer in full', async () => {
    const { buyerId, escrow } = await aFundedOrder('ord_refund');
    await ledger.publish(message.escrowRefunded, escrow.escrowId, { ...escrow, buyerId, refundedAt: releasedAt });
    await ledger.reply('balance.escrow_settled', 'ord_refund');
    expect((await ledger.get(`/users/${buyerId}/balance`)).data).toMatchObject({ available: '100.00', reserved: '0.00' });
  });

  it('are split after a dispute, seller first', async () => {
    const { buyerId, sellerId, escrow } = await aFundedOrder('ord_split');
    await ledger.publish(message.escrowReleased, escrow.escrowId, {
      ...escrow,
      sellerId,
      platformFee: '3.00',
      netAmount: '57.00',
      releasedAt,
      buyerId,
      refundAmount: '40.00',
    });
    expect(await ledger.reply('balance.escrow_settled', 'ord_split')).toMatchObject({
      payouts: [
        { userId: sellerId, amount: '57.00' },
        { userId: buyerId, amount: '40.00' },
      ],
    });
    expect((await ledger.get(`/users/${sellerId}/balance`)).data).toMatchObject({ available: '57.00' });
    expect((await ledger.get(`/users/${buyerId}/balance`)).data).toMatchObject({ available: '40.00' });
    expect((await ledger.get(`/users/${buyerId}/balance/transactions?limit=1`)).data).toMatchObject({
      data: [{ type: 'ESCROW_PAYOUT', orderId: 'ord_split' }],
    });
  });

  it('are split with nothing for the seller, whose balance is still in the reply', async () => {
    const { buyerId, sellerId, escrow } = await aFundedOrder('ord_split0');
    const nothing = { platformFee: '0.00', netAmount: '0.00', refundAmount: '100.00' };
    await ledger.publish(message.escrowReleased, escrow.escrowId, { ...escrow, ...nothing, sellerId, buyerId, releasedAt });
    expect(await ledger.reply('balance.escrow_settled', 'ord_split0')).toMatchObject({
      payouts: [
        { userId: sellerId, amount: '0.00', newAvailableBalance: '0.00' },
        { userId: buyerId, amount: '100.00', newAvailableBalance: '100.00' },
      ],
    });
  });

  it('are reserved again when funding fails', async () => {
    const { buyerId, escrow } = await aFundedOrder('ord_restore');
    await ledger.publish(message.escrowFundingFailed, escrow.escrowId, { ...escrow, buyerId, reason: 'provider' });
    expect(await ledger.reply('balance.deduction_restored', 'ord_restore')).toMatchObject({
      reservedBalance: '100.00',
      availableBalance: '0.00',
    });
    await ledger.publish(message.orderCancelRequested, 'ord_restore', {
      orderId: 'ord_restore',
      userId: buyerId,
      amount: '100.00',
      currency: 'USD',
    });
    expect(await ledger.reply('balance.reservation_freed', 'ord_restore')).toMatchObject({
      amount: '100.00',
      availableBalance: '100.00',
    });
  });

  it('are refused with the reason if they cannot be reserved or moved to escrow', async () => {
    const userId = await ledger.aUser({ available: '1.00' });
    const funds = { orderId: 'ord_poor', userId, amount: '100.00', currency: 'USD' } as const;
    await ledger.publish(message.orderReserveRequested, 'ord_poor', funds);
    expect(await ledger.reply('balance.reservation_refused', 'ord_poor')).toMatchObject({
      code: 'INSUFFICIENT_FUNDS',
      details: { available: '1.00' },
    });
    await ledger.publish(message.orderFundRequested, 'ord_poor', funds);
    expect(await ledger.reply('balance.deduction_refused', 'ord_poor')).toMatchObject({
      code: 'RESERVE_NOT_FOUND',
      details: { requested: '100.00', reserved: '0.00', currency: 'USD' },
    });
    await ledger.publish(message.orderCancelRequested, 'ord_poor', funds);
    expect(await ledger.reply('balance.reservation_freed', 'ord_poor')).toMatchObject({ amount: '0.00' });
  });
});

describe('a redelivered message', () => {
  it('has one effect, and its stored reply is published again, posted or refused', async () => {
    const userId = await ledger.aUser({ available: '100.00' });
    const command = await ledger.publish(message.orderReserveRequested, 'ord_twice', {
      orderId: 'ord_twice',
      userId,
      amount: '60.00',
      currency: 'USD',
    });
    await ledger.reply('balance.reservation_made', 'ord_twice');
    const refused = await ledger.publish(message.orderReserveRequested, 'ord_twice2', {
      orderId: 'ord_twice2',
      userId,
      amount: '60.00',
      currency: 'USD',
    });
    await ledger.reply('balance.reservation_refused', 'ord_twice2');
    // The broker drops a copy of a message that is still in its queue.
    await ledger.idle();
    await ledger.republish(command);
    await ledger.republish(refused);
    await ledger.idle();
    await ledger.post(`/users/${userId}/balance/credit`, { amount: '500.00' });
    await ledger.republish(refused);
    await ledger.idle();
    expect((await ledger.get(`/users/${userId}/balance`)).data).toMatchObject({ reserved: '60.00', available: '540.00' });
    const idsOf = (orderId: string) => ledger.repliesTo(orderId).map(({ id }) => id);
    expect([idsOf('ord_twice').length, new Set(idsOf('ord_twice')).size]).toEqual([2, 1]);
    expect([idsOf('ord_twice2').length, new Set(idsOf('ord_twice2')).size]).toEqual([3, 1]);
  });
});

describe('money from external accounts', () => {
  it('is credited for a top-up and a deposit', async () => {
    const userId = await ledger.aUser();
    await ledger.publish(message.topupCreditRequested, 'topup_1', {
      topupId: 'topup_1',
      userId,
      amount: '25.00',
      currency: 'USD',
    });
    expect(await ledger.reply('balance.topup_credited', 'topup_1')).toMatchObject({ newAvailableBalance: '25.00' });
    await ledger.publish(message.balanceDepositReceived, userId, {
      userId,
      amount: '0.0000007',
      currency: 'XLM',
      operationId: '123',
    });
    const events = await ledger.eventsOf(userId, 2);
    expect(events.map(({ payload }) => payload)).toMatchObject([
      { source: 'topup', sourceId: 'topup_1' },
      { source: 'ledger_deposit', sourceId: '123' },
    ]);
    expect((await ledger.get(`/users/${userId}/balance?currency=XLM`)).data).toMatchObject({ available: '0.0000007' });
  });
});

describe('messages about users', () => {
  it('may arrive late: an older version never overwrites a newer one', async () => {
    const userId = await ledger.aUser({ available: '10.00' });
    await ledger.publishUserStatus(userId, 'SUSPENDED', 3);
    await ledger.publishUserStatus(userId, 'ACTIVE', 2);
    await ledger.idle();
    expect((await ledger.post(`/users/${userId}/balance/reserve`, { amount: '1.00' })).code).toBe('USER_NOT_ACTIVE');
  });

  it('may arrive after the first message for the user, which is retried', async () => {
    const userId = ledger.newUserId();
    await ledger.publish(message.topupCreditRequested, 'topup_early', {
      topupId: 'topup_early',
      userId,
      amount: '5.00',
      currency: 'USD',
    });
    await ledger.publishUserCreated(userId);
    expect(await ledger.reply('balance.topup_credited', 'topup_early')).toMatchObject({ newAvailableBalance: '5.00' });
  });
});

async function aReservedOrder(orderId: OrderId): Promise<UserId> {
  const userId = await ledger.aUser({ available: '130.00' });
  await ledger.publish(message.orderReserveRequested, orderId, { orderId, userId, amount: '100.00', currency: 'USD' });
  await ledger.reply('balance.reservation_made', orderId);
  return userId;
}

describe('an order with a part that was deducted by hand', () => {
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
    expect(await ledger.reply('balance.reservation_freed', orderId)).toMatchObject({
      amount: freed,
      availableBalance: available,
    });
    expect((await ledger.get(`/users/${userId}/balance`)).data).toMatchObject({ available, reserved: '0.00' });
  });
});
