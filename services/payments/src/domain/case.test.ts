import { money, parseUnits, type Currency } from '@holdfast/kernel/money';
import { needsApproval } from './case.js';

const of = (amount: string, currency: Currency) => ({ amount: money(parseUnits(amount), currency) });

describe('the resolution of a case', () => {
  it.each<readonly [string, Currency, boolean]>([
    ['100.00', 'USD', false],
    ['100.01', 'USD', true],
    ['-100.01', 'USD', true],
    ['100.00', 'USDC', false],
    ['100.0000001', 'USDC', true],
    ['0.0000001', 'XLM', true],
    ['-0.01', 'XLM', true],
    ['0.00', 'XLM', false],
  ])('of %s %s with a limit of 100.00: needs approval %s', (amount, currency, expected) => {
    expect(needsApproval(of(amount, currency), parseUnits('100.00'))).toBe(expected);
  });

  it('needs no approval without a limit', () => {
    expect(needsApproval(of('1000000.00', 'XLM'), undefined)).toBe(false);
  });
});
