import { nativeToScVal, scValToBigInt } from '@stellar/stellar-sdk';
import * as wire from './wire-values.js';

const max = 2n ** 127n - 1n;
const values = [0n, 1n, -1n, 10_000_000n, 2n ** 63n, -(2n ** 63n), 2n ** 64n - 1n, 2n ** 64n, -(2n ** 64n), max, -max - 1n];

describe('an i128', () => {
  it.each(values)('of %p has the form of the SDK, and is read back', (units) => {
    const value = wire.i128(units);
    expect(value.toXDR('hex')).toBe(nativeToScVal(units, { type: 'i128' }).toXDR('hex'));
    expect([wire.readI128(value), scValToBigInt(value)]).toEqual([units, units]);
  });

  it.each([max + 1n, -max - 2n])('cannot be %p', (units) => {
    expect(() => wire.i128(units)).toThrow(RangeError);
  });
});

describe('a u64', () => {
  it.each([0n, 1n, 2n ** 64n - 1n])('of %p has the form of the SDK', (value) => {
    expect(wire.u64(value).toXDR('hex')).toBe(nativeToScVal(value, { type: 'u64' }).toXDR('hex'));
  });
});
