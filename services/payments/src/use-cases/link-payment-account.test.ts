import { refusalOf } from '@holdfast/testing/memory';
import { memoryPayments, type MemoryPayments } from '../testing/memory-payments.js';
import { linkPaymentAccount, type LinkPaymentAccount } from './link-payment-account.js';

let payments: MemoryPayments;
beforeEach(() => {
  payments = memoryPayments();
  for (const name of ['ada', 'grace']) addAccount(`${name}@example.com`, name);
});

const addAccount = (email: string, id: string, given: object = {}) =>
  payments.provider.users.set(email, { id, isActive: true, isVerified: true, ...given });
const link = (input: LinkPaymentAccount, ctx = payments.by()) => linkPaymentAccount(payments.deps, input, ctx);
const email = 'ada@example.com';

describe('linkPaymentAccount', () => {
  it('links the account of an e-mail address, with its event and audit entry', async () => {
    const id = payments.aUser();
    const account = await link({ id, email });
    const { linkedAt } = account;
    expect(account).toEqual({ userId: id, marketplaceId: 'mkt_default', paymentAccountUserId: 'ada', email, linkedAt });
    expect(payments.eventsOf(id)).toMatchObject([
      {
        type: 'user.payment_account_linked',
        aggregateType: 'User',
        aggregatePart: 'payments',
        payload: { userId: id, paymentAccountUserId: 'ada', linkedAt },
      },
    ]);
    expect(payments.auditsOf(id)).toMatchObject([
      { action: 'PAYMENT_ACCOUNT_LINKED', actorId: 'key_1', after: { paymentAccountUserId: 'ada', email } },
    ]);
  });

  it('returns the first link for a repeat by address or id, also without the provider, and publishes nothing', async () => {
    const id = payments.aUser();
    const first = await link({ id, email });
    for (const named of [{ email: email.toUpperCase() }, { paymentAccountUserId: 'ada' }]) {
      payments.provider.failNext('findUser', new Error('the provider is down'), 'before');
      expect(await link({ id, ...named })).toEqual(first);
    }
    expect(payments.eventsOf(id)).toHaveLength(1);
  });

  it('of parallel requests links once', async () => {
    const id = payments.aUser();
    const linked = await Promise.all([1, 2, 3, 4].map(() => link({ id, email })));
    expect(linked).toEqual(linked.map(() => linked[0]));
    expect(payments.eventsOf(id)).toHaveLength(1);
  });

  it('takes the account of the user’s own e-mail address for an id', async () => {
    const id = payments.aUser({ email: 'grace@example.com' });
    expect(await link({ id, paymentAccountUserId: 'grace' })).toMatchObject({ email: 'grace@example.com' });
  });

  it.each([
    ['unknown', { email: 'unknown@example.com' }],
    ['inactive', { email: 'inactive@example.com' }],
    ['unverified', { email: 'unverified@example.com' }],
    ['mismatch', { paymentAccountUserId: 'another' }],
  ])('PAYMENT_ACCOUNT_INVALID: %s', async (reason, named) => {
    addAccount('inactive@example.com', 'inactive', { isActive: false });
    addAccount('unverified@example.com', 'unverified', { isVerified: false });
    const id = payments.aUser({ email });
    expect(await refusalOf(link({ id, ...named }))).toEqual(['PAYMENT_ACCOUNT_INVALID', { reason }]);
    expect(payments.eventsOf(id)).toEqual([]);
  });

  it('PAYMENT_ACCOUNT_INVALID for an id if the user has no e-mail address', async () => {
    const refused = link({ id: payments.aUser(), paymentAccountUserId: 'ada' });
    expect(await refusalOf(refused)).toEqual(['PAYMENT_ACCOUNT_INVALID', { reason: 'no_email' }]);
  });

  it('INVALID_STATE for another account: payouts must not be diverted', async () => {
    const id = payments.aUser();
    const first = await link({ id, email });
    const refused = link({ id, email: 'grace@example.com' });
    expect(await refusalOf(refused)).toMatchObject(['INVALID_STATE', { currentStatus: 'LINKED' }]);
    expect(await payments.deps.accounts.find('mkt_default', id)).toEqual(first);
  });

  it('USER_NOT_FOUND for an unknown user and one of another marketplace', async () => {
    expect((await refusalOf(link({ id: 'usr_unknown', email })))[0]).toBe('USER_NOT_FOUND');
    const elsewhere = payments.by({ marketplaceId: 'mkt_other' });
    expect((await refusalOf(link({ id: payments.aUser(), email }, elsewhere)))[0]).toBe('USER_NOT_FOUND');
  });

  it('SERVICE_UNAVAILABLE while the provider fails, and links nothing', async () => {
    const id = payments.aUser();
    payments.provider.failNext('findUser', new Error('the provider is down'), 'before');
    expect((await refusalOf(link({ id, email })))[0]).toBe('SERVICE_UNAVAILABLE');
    expect(await payments.deps.accounts.find('mkt_default', id)).toBeUndefined();
    expect((await link({ id, email })).paymentAccountUserId).toBe('ada');
  });
});
