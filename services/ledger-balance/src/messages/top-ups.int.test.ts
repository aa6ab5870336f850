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

type Received = message.Payload<typeof message.topupPaymentReceived>;

const aTopup = (userId: UserId, amount = '25.00'): Received => ({ topupId: newId('topup'), userId, amount, currency: 'USD' });
const publish = (topup: Received) => ledger.publish(message.topupPaymentReceived, topup.topupId, topup);
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

  it('is credited once if its message comes again after the inbox was pruned', async () => {
    const userId = await ledger.aUser();
    const topup = aTopup(userId);
    const received = await publish(topup);
    await ledger.reply('balance.topup_credited', topup.topupId);
    await ledger.idle();
    await ledger.database.asAdmin('delete from ledger_balance.inbox where message_id = $1', [received.id]);
    await ledger.republish(received);
    await ledger.idle();
    expect(await availableOf(userId)).toBe('25.00');
    await eventually(() => expect(ledger.repliesTo(topup.topupId)).toHaveLength(2));
    const [first, again] = ledger.repliesTo(topup.topupId);
    expect(again).toMatchObject({ id: first?.id, payload: first?.payload });
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
