import { parseMoney } from '@holdfast/kernel/money';
import { planPayout, type Destination } from './payout.js';

const to = 'GADDRESS';
const memoHash = 'ab'.repeat(32);
const account = (given: Partial<Destination> = {}): Destination => ({
  balances: { XLM: 10_000_000n, USDC: 0n },
  requiresMemo: false,
  ...given,
});

describe('the plan of a payout', () => {
  it.each([
    ['USD', 'USDC'],
    ['USDC', 'USDC'],
    ['XLM', 'XLM'],
  ] as const)('pays %s as %s', (currency, asset) => {
    expect(planPayout({ amount: parseMoney('1.50', currency), to, memoHash }, account())).toEqual({
      status: 'possible',
      payment: { to, asset, units: 15_000_000n, isNewAccount: false, memoHash },
    });
  });

  it('creates an account with XLM from 1 XLM on', () => {
    expect(planPayout({ amount: parseMoney('1.00', 'XLM'), to, memoHash }, undefined)).toMatchObject({
      status: 'possible',
      payment: { isNewAccount: true },
    });
    expect(planPayout({ amount: parseMoney('0.9999999', 'XLM'), to, memoHash }, undefined)).toMatchObject({
      status: 'impossible',
      reason: expect.stringContaining('at least 1 XLM'),
    });
  });

  it.each([
    ['USDC', undefined, 'the account does not exist on the ledger network, so it cannot hold USDC'],
    ['USDC', account({ balances: { XLM: 1n } }), 'the account has no trustline for USDC'],
    ['XLM', account({ requiresMemo: true }), 'the account requires a memo of its owner, and withdrawals cannot carry one'],
  ] as const)('refuses %s to %j: %s', (currency, destination, reason) => {
    expect(planPayout({ amount: parseMoney('5.00', currency), to, memoHash }, destination)).toEqual({
      status: 'impossible',
      reason,
    });
  });
});
