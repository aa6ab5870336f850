import * as message from '@holdfast/contracts/messages';
import { startLedger, type RunningLedger } from '../testing/running-ledger.js';
import { sharedChanges } from '../testing/shared-totals.js';

let ledger: RunningLedger;

beforeAll(async () => {
  ledger = await startLedger();
});

afterAll(async () => {
  await ledger.checkAndStop();
});

describe('the amount of a withdrawal', () => {
  it('is reserved for a withdrawal apart from the balance routes, then deducted or released', async () => {
    const userId = await ledger.aUser({ available: '50.00' });
    const withdrawal = (withdrawalId: `wd_${string}`) => ({ withdrawalId, userId, amount: '20.00', currency: 'USD' }) as const;
    await ledger.publish(message.withdrawalHoldRequested, 'wd_1', withdrawal('wd_1'));
    await ledger.reply('balance.withdrawal_held', 'wd_1');
    await ledger.publish(message.withdrawalHoldRequested, 'wd_2', withdrawal('wd_2'));
    await ledger.reply('balance.withdrawal_held', 'wd_2');
    expect((await ledger.post(`/users/${userId}/balance/release`, { amount: '1.00' })).code).toBe('RESERVATION_EXCEEDED');
    expect((await ledger.post(`/users/${userId}/balance/release`, { amount: '1.00', orderId: 'wd_1' })).code).toBe(
      'RESERVATION_EXCEEDED',
    );
    await ledger.publish(message.withdrawalPaidOut, 'wd_1', { ...withdrawal('wd_1'), method: 'payment_provider' });
    expect(await ledger.reply('balance.withdrawal_consumed', 'wd_1')).toEqual({
      ...withdrawal('wd_1'),
      availableBalance: '10.00',
      reservedBalance: '20.00',
    });
    await ledger.publish(message.withdrawalCalledOff, 'wd_2', withdrawal('wd_2'));
    expect(await ledger.reply('balance.withdrawal_freed', 'wd_2')).toMatchObject({
      availableBalance: '30.00',
      reservedBalance: '0.00',
    });
    await ledger.publish(message.withdrawalHoldRequested, 'wd_3', { ...withdrawal('wd_3'), amount: '30.01' });
    expect(await ledger.reply('balance.withdrawal_refused', 'wd_3')).toMatchObject({ code: 'INSUFFICIENT_FUNDS' });
  });
});

describe('a withdrawal that was paid out', () => {
  it.each([
    ['payment_provider', 'external:payouts'],
    ['ledger_network', 'external:ledger_payouts'],
  ] as const)('by %s is booked to %s', async (method, account) => {
    const [userId, withdrawalId] = [await ledger.aUser({ available: '50.00' }), `wd_by${method.replace('_', '')}`] as const;
    const withdrawal = { withdrawalId, userId, amount: '20.00', currency: 'USD' } as const;
    await ledger.publish(message.withdrawalHoldRequested, withdrawalId, withdrawal);
    await ledger.reply('balance.withdrawal_held', withdrawalId);
    const changes = await sharedChanges(ledger.database);
    await ledger.publish(message.withdrawalPaidOut, withdrawalId, { ...withdrawal, method });
    await ledger.reply('balance.withdrawal_consumed', withdrawalId);
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
