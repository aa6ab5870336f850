import { withdrawalReserveRequested } from '@holdfast/contracts/messages';
import { parseUnits } from '@holdfast/kernel/money';
import { refusalOf } from '@holdfast/testing/memory';
import { memoryPayments, type MemoryPayments } from '../testing/memory-payments.js';
import { foreignAddress } from '../testing/withdrawals.js';
import { requestWithdrawal, type CreateWithdrawal } from './request-withdrawal.js';

let payments: MemoryPayments;
beforeEach(() => {
  payments = memoryPayments();
});
afterEach(() => payments.idle());

const usual = { amount: '40.00', currency: 'USD', destination: { type: 'bank', ref: 'account-7' }, commit: false } as const;
const toLedger = { destination: { type: 'ledger', ref: foreignAddress } } as const;
const create = (given: Partial<CreateWithdrawal> & { readonly userId: string }, operationId?: string) =>
  requestWithdrawal(payments.deps, { ...usual, ...given }, payments.by({}, operationId));
const typesOf = (id: string) => payments.eventsOf(id).map(({ type }) => type);
const payloadOf = (id: string, type: string) => payments.eventsOf(id).find((each) => each.type === type)?.payload;
const stored = () => payments.ports.tables.committed().withdrawals.size;

describe('requestWithdrawal', () => {
  it('reserves the amount, returns the withdrawal, and publishes withdrawal.created', async () => {
    const userId = await payments.aPayee();
    const withdrawal = await create({ userId, description: 'Rent' });
    const { id } = withdrawal;
    const destination = { destinationType: 'bank', destinationRef: 'account-7' };
    expect(withdrawal).toMatchObject({
      userId,
      status: 'WITHDRAWAL_CREATED',
      ...destination,
      description: 'Rent',
      activeRun: null,
    });
    expect(payments.ledger.balanceOf(userId)).toEqual({ available: '60.00', reserved: '40.00' });
    const funds = { withdrawalId: id, userId, amount: '40.00', currency: 'USD' };
    expect(payments.ledger.commands).toMatchObject([{ type: withdrawalReserveRequested.type, saga: 'withdraw', payload: funds }]);
    expect(payments.eventsOf(id)).toMatchObject([{ type: 'withdrawal.created', payload: { ...funds, ...destination } }]);
    expect(payments.auditsOf(id)).toMatchObject([{ action: 'WITHDRAWAL_CREATED', before: null, actorId: 'key_1' }]);
  });

  it('with commit sends the money at once', async () => {
    const withdrawal = await payments.aWithdrawal({ commit: true });
    expect(withdrawal).toMatchObject({ status: 'WITHDRAWAL_PENDING', providerPayoutId: 'payout-1' });
    const { id, amount } = withdrawal;
    expect(payments.provider.payoutOf(id)).toMatchObject({ outcome: 'pending', amount });
    expect(typesOf(id)).toEqual(['withdrawal.created', 'withdrawal.committed', 'withdrawal.pending']);
    expect(payloadOf(id, 'withdrawal.committed')).toMatchObject({ committedBalance: '40.00', availableBalance: '60.00' });
  });

  it('INSUFFICIENT_FUNDS leaves nothing', async () => {
    expect((await refusalOf(create({ userId: await payments.aPayee('39.99') })))[0]).toBe('INSUFFICIENT_FUNDS');
    expect(stored()).toBe(0);
  });

  it('is refused in the specified order: user, its state, its account, the limits; nothing is stored', async () => {
    const elsewhere = payments.aUser({ marketplaceId: 'mkt_other' });
    for (const userId of ['usr_unknown', 'ord_1', elsewhere])
      expect(await refusalOf(create({ userId }))).toEqual(['USER_NOT_FOUND', { userId }]);
    const amount = '0.99';
    const suspended = payments.aUser({ status: 'SUSPENDED' });
    expect(await refusalOf(create({ userId: suspended, amount }))).toEqual(['USER_NOT_ACTIVE', { userId: suspended }]);
    const unlinked = payments.aUser();
    for (const destination of [usual.destination, { type: 'payment_account', ref: null } as const]) {
      const refused = await refusalOf(create({ userId: unlinked, amount, destination }));
      expect(refused).toEqual(['PAYMENT_ACCOUNT_NOT_LINKED', { userId: unlinked }]);
    }
    expect(stored()).toBe(0);
    payments.ledger.setAvailable(unlinked, '50.00');
    expect((await create({ userId: unlinked, ...toLedger })).destinationRef).toBe(foreignAddress);
  });

  it.each(['0.99', '5000.01'])('LIMIT_EXCEEDED for %s', async (amount) => {
    const details = { amount, min: '1.00', max: '5000.00', currency: 'USD' };
    expect(await refusalOf(create({ userId: await payments.aPayee(), amount }))).toEqual(['LIMIT_EXCEEDED', details]);
  });

  it('takes an amount below the minimum if it is the whole available balance', async () => {
    const userId = await payments.aPayee('0.07');
    expect((await refusalOf(create({ userId, amount: '0.06' })))[0]).toBe('LIMIT_EXCEEDED');
    expect((await create({ userId, amount: '0.07' })).status).toBe('WITHDRAWAL_CREATED');
  });

  it('LIMIT_EXCEEDED above the cap of an hour, of the provider and of the treasury', async () => {
    payments = memoryPayments({
      payoutUnitsMax: parseUnits('100.00'),
      withdrawalLimits: { minUnits: 1n, maxUnits: parseUnits('10000.00') },
    });
    const userId = await payments.aPayee('20000.00');
    const throughProvider = await refusalOf(create({ userId, amount: '100.01' }));
    expect(throughProvider).toEqual(['LIMIT_EXCEEDED', { amount: '100.01', max: '100.00', currency: 'USD' }]);
    const fromTreasury = await refusalOf(create({ userId, amount: '6000.01', ...toLedger }));
    expect(fromTreasury).toEqual(['LIMIT_EXCEEDED', { amount: '6000.01', max: '6000.00', currency: 'USD' }]);
    expect(payments.ledger.balanceOf(userId)).toEqual({ available: '20000.00', reserved: '0.00' });
    await create({ userId, amount: '100.00' });
    await create({ userId, amount: '6000.00', ...toLedger });
  });

  it('VALIDATION_ERROR for an address that is not a public key, and for one of the platform', async () => {
    const userId = await payments.aPayee();
    payments.ownAddresses.add(foreignAddress);
    for (const ref of [foreignAddress, `${foreignAddress.slice(0, -1)}A`, foreignAddress.toLowerCase(), null])
      expect((await refusalOf(create({ userId, destination: { type: 'ledger', ref } })))[0]).toBe('VALIDATION_ERROR');
    expect(stored()).toBe(0);
  });

  it('RATE_LIMITED beyond the rate of one user, exact for parallel requests, with the time until the next one', async () => {
    const userId = await payments.aPayee();
    const settled = await Promise.allSettled([1, 2, 3, 4, 5].map(() => create({ userId, amount: '2.00' })));
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    payments.clock.advance(50_000);
    const details = { limit: 3, windowSeconds: 60, retryAfter: 10 };
    expect(await refusalOf(create({ userId, amount: '2.00' }))).toEqual(['RATE_LIMITED', details]);
  });

  it('returns the first result for a repeated operation, although its checks would fail; IDEMPOTENCY_KEY_REUSED with another amount', async () => {
    const userId = await payments.aPayee('40.00');
    const first = await create({ userId }, 'op-1');
    payments.ports.tables.committed().accounts.clear();
    expect(await create({ userId }, 'op-1')).toEqual(first);
    expect(payments.ledger.balanceOf(userId)).toEqual({ available: '0.00', reserved: '40.00' });
    expect((await refusalOf(create({ userId, amount: '41.00' }, 'op-1')))[0]).toBe('IDEMPOTENCY_KEY_REUSED');
  });

  it('goes to the linked account for payment_account', async () => {
    const userId = await payments.aPayee();
    const withdrawal = await create({ userId, destination: { type: 'payment_account', ref: null } });
    expect(withdrawal.destinationRef).toBe(`account-${userId}`);
  });

  it('PLATFORM_STOPPED only with commit while the platform is stopped', async () => {
    const userId = await payments.aPayee();
    payments.setStopped(true);
    expect((await refusalOf(create({ userId, commit: true })))[0]).toBe('PLATFORM_STOPPED');
    expect((await create({ userId })).status).toBe('WITHDRAWAL_CREATED');
  });
});
