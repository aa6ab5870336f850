import fc from 'fast-check';
import {
  add,
  balanceUnitsMax,
  divide,
  feeOf,
  formatMoney,
  formatUnits,
  parseUnits,
  isAmount,
  isLess,
  money,
  parseMoney,
  roundings,
  subtract,
  unitsPerCent,
} from './index.js';

const units = fc.bigInt({ min: 0n, max: 2n ** 63n });

describe('an amount as text', () => {
  it('survives formatting and parsing', () => {
    fc.assert(fc.property(units, (n) => parseMoney(formatUnits(n), 'XLM').units === n));
  });

  it('has at least two decimal places and no further trailing zeros', () => {
    expect(['0', '100000', '12500000', '12345678', '10000000'].map((n) => formatUnits(BigInt(n)))).toEqual([
      '0.00',
      '0.01',
      '1.25',
      '1.2345678',
      '1.00',
    ]);
    expect(formatUnits(-15_000_000n)).toBe('-1.50');
    const sums = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n });
    fc.assert(fc.property(sums, (n) => parseUnits(formatUnits(n)) === n));
    for (const text of ['', '-', '1e3', '+1', ' 1', '1.', '.5', '1.00000000', 'NaN']) expect(() => parseUnits(text)).toThrow();
  });

  it.each(['1', '1.5', '1.50', '0.01', '99999999999.99'])('accepts %s', (text) => {
    expect(isAmount(text, 2)).toBe(true);
  });

  it.each([
    '',
    '0',
    '0.00',
    '-1',
    '+1',
    ' 1',
    '1 ',
    '1e3',
    '01.00',
    '1.',
    '.5',
    '1.234',
    '1,00',
    '0x10',
    'NaN',
    'Infinity',
    '100000000000',
    '١',
    '１',
    '1\n',
  ])('refuses %j', (text) => {
    expect(isAmount(text, 2)).toBe(false);
  });

  it('has at most the given number of decimal places', () => {
    expect(isAmount('0.0000001', 7)).toBe(true);
    expect(isAmount('0.00000001', 7)).toBe(false);
    expect(isAmount('0.0000001', 2)).toBe(false);
  });

  it('refuses every text that is not digits and one point', () => {
    fc.assert(fc.property(fc.string(), (text) => !isAmount(text, 2) || /^[0-9.]+$/.test(text)));
  });
});

describe('arithmetic', () => {
  it('subtract reverses add', () => {
    fc.assert(fc.property(units, units, (a, b) => subtract(add(money(a, 'USD'), money(b, 'USD')), money(b, 'USD')).units === a));
  });

  it('never mixes currencies', () => {
    expect(() => add(money(1n, 'USD'), money(1n, 'USDC'))).toThrow(TypeError);
    expect(() => isLess(money(1n, 'USD'), money(1n, 'XLM'))).toThrow(TypeError);
  });

  it('fee and remainder add up to the amount; the fee is rounded down to whole cents', () => {
    fc.assert(
      fc.property(units, fc.bigInt({ min: 0n, max: 5_000n }), (n, basisPoints) => {
        const amount = money(n, 'USD');
        const fee = feeOf(amount, basisPoints);
        expect(add(subtract(amount, fee), fee)).toEqual(amount);
        expect(fee.units % unitsPerCent).toBe(0n);
        expect(fee.units * 10_000n <= n * basisPoints).toBe(true);
        expect((fee.units + unitsPerCent) * 10_000n > n * basisPoints).toBe(true);
      }),
    );
  });

  it('five per cent of 99.99 are 4.99', () => {
    expect(formatMoney(feeOf(parseMoney('99.99', 'USD'), 500n))).toBe('4.99');
  });

  it('divide rounds in the given direction, by less than one', () => {
    const dividend = fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n });
    const divisor = fc.bigInt({ min: 1n, max: 10n ** 9n });
    fc.assert(
      fc.property(dividend, divisor, fc.constantFrom(...roundings), (n, d, rounding) => {
        const error = divide(n, d, rounding) * d - n;
        expect((error < 0n ? -error : error) < d).toBe(true);
        if (rounding === 'down') expect(n >= 0n ? error <= 0n : error >= 0n).toBe(true);
        if (rounding === 'up') expect(n >= 0n ? error >= 0n : error <= 0n).toBe(true);
        if (rounding === 'halfEven') expect((error < 0n ? -error : error) * 2n <= d).toBe(true);
      }),
    );
    expect([5n, 15n, 25n].map((n) => divide(n, 10n, 'halfEven'))).toEqual([0n, 2n, 2n]);
    expect(() => divide(1n, 0n, 'down')).toThrow(RangeError);
  });

  it('the largest balance fits a signed 64-bit column', () => {
    expect(balanceUnitsMax < 2n ** 63n).toBe(true);
  });
});
