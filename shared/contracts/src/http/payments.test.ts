import { createTopup, createWithdrawal, linkPaymentAccount } from './index.js';

const address = `G${'A'.repeat(55)}`;
const withdrawal = { userId: 'usr_1', amount: '40.00', currency: 'USD' };
const taken = (given: object) => {
  const { data } = createWithdrawal.body.safeParse({ ...withdrawal, ...given });
  return data?.destination;
};

describe('the body of POST /withdrawals', () => {
  it.each([
    [{ destination: { type: 'bank', accountRef: 'a-7' } }, { type: 'bank', ref: 'a-7' }],
    [
      { destinationType: 'bank', destinationRef: 'a-7' },
      { type: 'bank', ref: 'a-7' },
    ],
    [{ destination: { type: 'ledger', address } }, { type: 'ledger', ref: address }],
    [
      { destinationType: 'ledger', destinationRef: address, currency: 'XLM', amount: '0.0000001' },
      { type: 'ledger', ref: address },
    ],
    [{ destination: { type: 'payment_account' } }, { type: 'payment_account', ref: null }],
    [{ destinationType: 'payment_account' }, { type: 'payment_account', ref: null }],
  ])('%j goes to %j', (given, destination) => {
    expect(taken(given)).toEqual(destination);
  });

  it.each([
    ['no destination', {}],
    ['a destination in both forms', { destination: { type: 'payment_account' }, destinationType: 'payment_account' }],
    ['an unknown type', { destination: { type: 'cash' } }],
    ['a bank without an account', { destination: { type: 'bank' } }],
    ['an address that is none', { destination: { type: 'ledger', address: 'GABC' } }],
    ['an address that is none, in the flat form', { destinationType: 'ledger', destinationRef: 'GABC' }],
    ['dust of a currency that has none', { destination: { type: 'ledger', address }, amount: '0.001' }],
    ['USDC to a bank', { destination: { type: 'bank', accountRef: 'a-7' }, currency: 'USDC' }],
    ['a number as amount', { destination: { type: 'payment_account' }, amount: 40 }],
    ['no currency', { destination: { type: 'payment_account' }, currency: undefined }],
  ])('is refused with %s', (_, given) => {
    expect(createWithdrawal.body.safeParse({ ...withdrawal, ...given }).success).toBe(false);
  });
});

describe('the body of POST /topups', () => {
  const topup = { userId: 'usr_1', amount: '50.00' };

  it('is in USD', () => {
    expect(createTopup.body.parse(topup)).toEqual({ ...topup, currency: 'USD' });
    expect(createTopup.body.safeParse({ ...topup, currency: 'USDC' }).success).toBe(false);
  });

  it.each(['javascript:alert(1)', 'data:text/html,x', 'shop.example', '//shop.example', 'https://'])(
    'leads to no %s',
    (returnUrl) => {
      expect(createTopup.body.safeParse({ ...topup, returnUrl }).success).toBe(false);
    },
  );
});

describe('the body of a payment account', () => {
  it.each([
    [{ email: 'ada@example.com' }, true],
    [{ paymentAccountUserId: 'account-7' }, true],
    [{}, false],
    [{ email: 'ada@example.com', paymentAccountUserId: 'account-7' }, false],
  ])('%j is accepted or refused', (given, isOne) => {
    expect(linkPaymentAccount.body.safeParse(given).success).toBe(isOne);
  });
});
