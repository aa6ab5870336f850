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

type Opened = message.Payload<typeof message.caseBookingRequested>;
type Resolved = message.Payload<typeof message.caseResolutionRequested>;

function aCase(given: Partial<Opened> = {}): Opened {
  return { caseId: newId('rcc'), kind: 'late_money', origin: 'payins', amount: '30.00', currency: 'USD', ...given };
}

const open = (opened: Opened) => ledger.publish(message.caseBookingRequested, opened.caseId, opened);

function resolve({ kind: _, ...opened }: Opened, given: Pick<Resolved, 'action'> & Partial<Resolved>) {
  return ledger.publish(message.caseResolutionRequested, opened.caseId, { ...opened, userId: null, ...given });
}

async function anOpenCase(given: Partial<Opened> = {}): Promise<Opened> {
  const opened = aCase(given);
  await open(opened);
  await ledger.reply('balance.case_booked', opened.caseId);
  return opened;
}

const availableOf = async (userId: UserId): Promise<unknown> =>
  ((await ledger.get(`/users/${userId}/balance`)).data as { readonly available: string }).available;

describe('an opened case', () => {
  it.each([
    ['payins', '30.00', { 'external:payins': '-30.00', 'platform:suspense': '30.00' }],
    ['payouts', '-30.00', { 'external:payouts': '30.00', 'platform:suspense': '-30.00' }],
    ['deposits', '0.0000001', { 'external:deposits': '-0.0000001', 'platform:suspense': '0.0000001' }],
    ['adjustments', '0.00', {}],
  ] as const)('of the origin %s books %s to the suspense account', async (origin, amount, expected) => {
    const changes = await sharedChanges(ledger.database);
    const { caseId } = await anOpenCase({ origin, amount });
    expect(await changes()).toEqual(expected);
    expect(ledger.repliesTo(caseId)).toMatchObject([
      { type: 'balance.case_booked', aggregateType: 'ReconciliationCase', payload: { caseId, amount, currency: 'USD' } },
    ]);
  });

  it('is booked once, however many messages open it at once, and each gets its reply', async () => {
    const changes = await sharedChanges(ledger.database);
    const opened = aCase();
    const messages = await Promise.all(Array.from({ length: 8 }, () => open(opened)));
    await ledger.idle();
    await Promise.all(messages.map((each) => ledger.republish(each)));
    await ledger.idle();
    expect(await changes()).toEqual({ 'external:payins': '-30.00', 'platform:suspense': '30.00' });
    await eventually(() => expect(new Set(ledger.repliesTo(opened.caseId).map(({ id }) => id)).size).toBe(8));
  });
});

describe('a resolved case', () => {
  it('is credited to the user, who sees it in the history', async () => {
    const changes = await sharedChanges(ledger.database);
    const [userId, opened] = [await ledger.aUser(), await anOpenCase()];
    await resolve(opened, { action: 'credit', userId });
    await ledger.reply('balance.case_cleared', opened.caseId);
    expect(await changes()).toEqual({ 'external:payins': '-30.00' });
    expect(await availableOf(userId)).toBe('30.00');
    const [credited] = await ledger.eventsOf(userId, 1);
    expect(credited).toMatchObject({
      type: 'balance.credited',
      payload: { amount: '30.00', source: 'reconciliation', sourceId: opened.caseId },
    });
    expect((await ledger.get(`/users/${userId}/balance/transactions`)).data).toMatchObject({
      data: [{ type: 'RECONCILIATION', description: 'Correction: reconciliation case resolved', reference: opened.caseId }],
    });
  });

  it('with a negative amount is debited from the user', async () => {
    const userId = await ledger.aUser({ available: '50.00' });
    const changes = await sharedChanges(ledger.database);
    const opened = await anOpenCase({ origin: 'payouts', amount: '-30.00' });
    await resolve(opened, { action: 'credit', userId });
    await ledger.reply('balance.case_cleared', opened.caseId);
    expect(await changes()).toEqual({ 'external:payouts': '30.00' });
    expect(await availableOf(userId)).toBe('20.00');
    expect((await ledger.eventsOf(userId, 2))[1]).toMatchObject({
      type: 'balance.debited',
      payload: { amount: '30.00', destination: 'reconciliation', destinationId: opened.caseId },
    });
  });

  it.each([
    ['write_off', 'payins', '30.00', { 'external:payins': '-30.00', 'external:adjustments': '30.00' }],
    ['write_off', 'payouts', '-30.00', { 'external:payouts': '30.00', 'external:adjustments': '-30.00' }],
    ['write_off', 'payins', '0.00', {}],
    ['credit', 'payins', '0.00', {}],
    ['return', 'payins', '30.00', { 'external:payins': '-30.00', 'external:payouts': '30.00' }],
    ['return', 'deposits', '30.00', { 'external:deposits': '-30.00', 'external:ledger_payouts': '30.00' }],
  ] as const)('by %s of %s %s leaves the suspense account', async (action, origin, amount, expected) => {
    const changes = await sharedChanges(ledger.database);
    const opened = await anOpenCase({ origin, amount });
    await resolve(opened, { action });
    await ledger.reply('balance.case_cleared', opened.caseId);
    expect(await changes()).toEqual(expected);
  });

  it('is settled once, however many messages resolve it at once', async () => {
    const [userId, opened] = [await ledger.aUser(), await anOpenCase()];
    await Promise.all(Array.from({ length: 8 }, () => resolve(opened, { action: 'credit', userId })));
    await ledger.idle();
    expect(await availableOf(userId)).toBe('30.00');
    await eventually(() => expect(new Set(ledger.repliesTo(opened.caseId).map(({ id }) => id)).size).toBe(9));
    expect(await ledger.eventsOf(userId, 1)).toHaveLength(1);
  });

  it.each([
    ['LIMIT_EXCEEDED', '0.01', () => aRichUser()],
    ['INSUFFICIENT_FUNDS', '-0.01', () => ledger.aUser()],
    ['USER_NOT_FOUND', '0.01', () => Promise.resolve(ledger.newUserId())],
    ['USER_NOT_FOUND', '0.01', () => Promise.resolve(null)],
  ] as const)('is refused with %s for %s, stays in suspense, and can then be written off', async (code, amount, user) => {
    const [userId, opened] = [await user(), await anOpenCase({ amount })];
    const changes = await sharedChanges(ledger.database);
    const refused = await resolve(opened, { action: 'credit', userId });
    expect(await ledger.reply('balance.case_refused', opened.caseId)).toMatchObject({ caseId: opened.caseId, amount, code });
    await ledger.idle();
    await ledger.republish(refused);
    await ledger.idle();
    expect(ledger.repliesTo(opened.caseId).map(({ type }) => type)).toEqual([
      'balance.case_booked',
      'balance.case_refused',
      'balance.case_refused',
    ]);
    expect(await changes()).toEqual({});
    await resolve(opened, { action: 'write_off' });
    await ledger.reply('balance.case_cleared', opened.caseId);
    expect(Object.keys(await changes()).toSorted()).toEqual(['external:adjustments', 'platform:suspense']);
  });

  it('is retried and finally parked if it was settled in another way before', async () => {
    const [userId, opened] = [await ledger.aUser(), await anOpenCase()];
    await resolve(opened, { action: 'write_off' });
    await ledger.reply('balance.case_cleared', opened.caseId);
    const changes = await sharedChanges(ledger.database);
    const second = await resolve(opened, { action: 'credit', userId });
    await eventually(async () => {
      const failing = `delete from broker.deliveries where message_id = $1 and attempts > 0 returning 1`;
      expect(await ledger.database.asAdmin(failing, [second.id])).toHaveLength(1);
    });
    expect(await changes()).toEqual({});
    expect(await availableOf(userId)).toBe('0.00');
  });
});

/** One more cent would exceed the limit of a balance. */
async function aRichUser(): Promise<UserId> {
  const userId = await ledger.aUser();
  for (let credits = 0; credits < 9; credits += 1) {
    await ledger.post(`/users/${userId}/balance/credit`, { amount: '99999999999.00' });
  }
  await ledger.post(`/users/${userId}/balance/credit`, { amount: '9.00' });
  return userId;
}
