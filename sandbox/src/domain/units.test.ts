import fc from 'fast-check';
import { formatUnits, numberOfUnits, parseUnits, unitsOfNumber } from './units.js';

describe('units', () => {
  it('are unchanged after formatting and parsing', () => {
    fc.assert(fc.property(fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }), (units) => parseUnits(formatUnits(units)) === units));
  });

  it('are unchanged after conversion to a number that is exact', () => {
    fc.assert(fc.property(fc.bigInt({ min: 0n, max: 10n ** 15n }), (units) => unitsOfNumber(numberOfUnits(units)) === units));
  });

  it.each([-1, NaN, Infinity, 0.00000001, 1.00000005])('refuse %d', (amount) => {
    expect(unitsOfNumber(amount)).toBeUndefined();
  });

  it.each(['', '-1', '1e3', '1.', '.5', '1.00000001', ' 1'])('refuse %j', (text) => {
    expect(parseUnits(text)).toBeUndefined();
  });
});
