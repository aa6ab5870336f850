import * as message from '@holdfast/contracts/messages';
import { systemClock } from '@holdfast/kernel/context';
import { idFactory, type UserId } from '@holdfast/kernel/ids';
import { eventually } from '@holdfast/testing/eventually';
import { startLedger, type RunningLedger } from '../testing/running-ledger.js';
import { sharedChanges } from '../testing/shared-totals.js';

const newId = idFactory(systemClock().epochMs);
let ledger: RunningLedger;

beforeAll(async () => {
  ledger = await startLedger();
});

afterAll(async () => {
  await ledger.checkAndStop();
});

type Received = message.Payload<typeof message.topupCreditRequested>;

const aTopup = (userId: UserId, amount = '25.00'): Received => ({ topupId: newId('topup'), userId, amount, currency: 'USD' });
const publish = (topup: Received) => ledger.publish(message.topupCreditRequested, topup.topupId, topup);
const availableOf = async (userId: UserId): Promise<unknown> =>
  ((await ledger.get(`/users/${userId}/balance`)).data as { readonly available: string }).available;

describe('a top-up', () => {
  it('is credited from the pay-ins and shown in the history with its id', async () => {
    const userId = await ledger.aUser();
    const changes = await sharedChanges(ledger.database);
    const topup = aTopup(userId);
    await publish(topup);
    expect(await ledger.reply('balance.topup_credited', topup.topupId)).toEqual({ ...topup, newAvailableBalance: '25.00' });
    expect(await changes()).toEqual({ 'external:payins': '-25.00' });
    expect((await ledger.get(`/users/${userId}/balance/transactions`)).data).toMatchObject({
      data: [{ type: 'TOPUP', description: 'Top-up', reference: topup.topupId, amount: '25.00' }],
    });
  });

  it('is credited once, however many messages report it at once, and each gets a reply with the balance of that credit', async () => {
    const userId = await ledger.aUser();
    const topup = aTopup(userId);
    const messages = await Promise.all(Array.from({ length: 8 }, () => publish(topup)));
    await ledger.idle();
    await ledger.post(`/users/${userId}/balance/credit`, { amount: '1.00' });
    await Promise.all(messages.map((each) => ledger.republish(each)));
    await ledger.idle();
    expect(await availableOf(userId)).toBe('26.00');
    await eventually(() => expect(new Set(ledger.repliesTo(topup.topupId).map(({ id }) => id)).size).toBe(8));
    for (const { type, payload } of ledger.repliesTo(topup.topupId)) {
      expect([type, payload]).toEqual(['balance.topup_credited', { ...topup, newAvailableBalance: '25.00' }]);
    }
  });

  it('is credited even if a client used its id as the reference of a credit', async () => {
    const userId = await ledger.aUser();
    const topup = aTopup(userId);
    await ledger.post(`/users/${userId}/balance/credit`, { amount: '1.00', reference: topup.topupId });
    await publish(topup);
    await ledger.reply('balance.topup_credited', topup.topupId);
    expect(await availableOf(userId)).toBe('26.00');
  });

  it('is refused with LIMIT_EXCEEDED when the balance would exceed its limit, and the refusal is repeated', async () => {
    const userId = await ledger.aUser();
    for (let credits = 0; credits < 9; credits += 1) {
      await ledger.post(`/users/${userId}/balance/credit`, { amount: '99999999999.00' });
    }
    const changes = await sharedChanges(ledger.database);
    const topup = aTopup(userId, '9.01');
    const received = await publish(topup);
    expect(await ledger.reply('balance.topup_refused', topup.topupId)).toEqual({
      ...topup,
      code: 'LIMIT_EXCEEDED',
      details: { balanceMax: '900000000000.00' },
    });
    await ledger.idle();
    await ledger.post(`/users/${userId}/balance/debit`, { amount: '100.00' });
    await ledger.republish(received);
    await ledger.idle();
    expect(ledger.repliesTo(topup.topupId).map(({ type }) => type)).toEqual(['balance.topup_refused', 'balance.topup_refused']);
    expect(await changes()).toEqual({ 'external:manual': '100.00' });
  });
});

describe('the amount of a withdrawal', () => {
  it('is reserved for a withdrawal apart from the balance routes, then deducted or released', async () => {
    const userId = await ledger.aUser({ available: '50.00' });
    const withdrawal = (withdrawalId: `wd_${string}`) => ({ withdrawalId, userId, amount: '20.00', currency: 'USD' }) as const;
    await ledger.publish(message.withdrawalReserveRequested, 'wd_1', withdrawal('wd_1'));
    await ledger.reply('balance.withdrawal_reserved', 'wd_1');
    await ledger.publish(message.withdrawalReserveRequested, 'wd_2', withdrawal('wd_2'));
    await ledger.reply('balance.withdrawal_reserved', 'wd_2');
    expect((await ledger.post(`/users/${userId}/balance/release`, { amount: '1.00' })).code).toBe('RESERVATION_EXCEEDED');
    expect((await ledger.post(`/users/${userId}/balance/release`, { amount: '1.00', orderId: 'wd_1' })).code).toBe(
      'RESERVATION_EXCEEDED',
    );
    await ledger.publish(message.withdrawalDeductRequested, 'wd_1', { ...withdrawal('wd_1'), method: 'payment_provider' });
    expect(await ledger.reply('balance.withdrawal_deducted', 'wd_1')).toEqual({
      ...withdrawal('wd_1'),
      availableBalance: '10.00',
      reservedBalance: '20.00',
    });
    await ledger.publish(message.withdrawalFreeRequested, 'wd_2', withdrawal('wd_2'));
    expect(await ledger.reply('balance.withdrawal_freed', 'wd_2')).toMatchObject({
      availableBalance: '30.00',
      reservedBalance: '0.00',
    });
    await ledger.publish(message.withdrawalReserveRequested, 'wd_3', { ...withdrawal('wd_3'), amount: '30.01' });
    expect(await ledger.reply('balance.withdrawal_refused', 'wd_3')).toMatchObject({ code: 'INSUFFICIENT_FUNDS' });
  });
});

it('the balance events of a withdrawal name it', async () => {
  const userId = await ledger.aUser({ available: '50.00' });
  const [paid, freed] = [newId('wd'), newId('wd')];
  const withdrawal = (withdrawalId: typeof paid) => ({ withdrawalId, userId, amount: '20.00', currency: 'USD' }) as const;
  for (const id of [paid, freed]) {
    await ledger.publish(message.withdrawalReserveRequested, id, withdrawal(id));
    await ledger.reply('balance.withdrawal_reserved', id);
  }
  await ledger.publish(message.withdrawalDeductRequested, paid, { ...withdrawal(paid), method: 'payment_provider' });
  await ledger.reply('balance.withdrawal_deducted', paid);
  await ledger.publish(message.withdrawalFreeRequested, freed, withdrawal(freed));
  await ledger.reply('balance.withdrawal_freed', freed);
  await ledger.post(`/users/${userId}/balance/reserve`, { amount: '1.00' });
  const events = (await ledger.eventsOf(userId, 6)).slice(1);
  expect(events.map(({ type, payload }) => [type, (payload as { readonly withdrawalId?: string }).withdrawalId])).toEqual([
    ['balance.reserved', paid],
    ['balance.reserved', freed],
    ['balance.released', paid],
    ['balance.released', freed],
    ['balance.reserved', undefined],
  ]);
  for (const { payload } of events) expect(payload).toMatchObject({ orderId: null });
});

describe('a withdrawal that was paid out', () => {
  it.each([
    ['payment_provider', 'external:payouts'],
    ['ledger_network', 'external:ledger_payouts'],
  ] as const)('by %s is booked to %s', async (method, account) => {
    const [userId, withdrawalId] = [await ledger.aUser({ available: '50.00' }), `wd_by${method.replace('_', '')}`] as const;
    const withdrawal = { withdrawalId, userId, amount: '20.00', currency: 'USD' } as const;
    await ledger.publish(message.withdrawalReserveRequested, withdrawalId, withdrawal);
    await ledger.reply('balance.withdrawal_reserved', withdrawalId);
    const changes = await sharedChanges(ledger.database);
    await ledger.publish(message.withdrawalDeductRequested, withdrawalId, { ...withdrawal, method });
    await ledger.reply('balance.withdrawal_deducted', withdrawalId);
    expect(await changes()).toEqual({ [account]: '20.00' });
    expect((await ledger.get(`/users/${userId}/balance/transactions`)).data).toMatchObject({
      data: [
        { type: 'WITHDRAWAL', description: 'Withdrawal: paid out', reference: withdrawalId, reservedChange: '-20.00' },
        { type: 'WITHDRAWAL', description: 'Withdrawal: amount reserved', reference: withdrawalId, availableChange: '-20.00' },
        { type: 'CREDIT' },
      ],
    });
  });
});
