import { unitsPerCent, type Money } from './money.js';

export const roundings = ['down', 'up', 'halfEven'] as const;
export type Rounding = (typeof roundings)[number];

export function add(a: Money, b: Money): Money {
  assertSameCurrency(a, b);
  return { units: a.units + b.units, currency: a.currency };
}

export function subtract(a: Money, b: Money): Money {
  assertSameCurrency(a, b);
  return { units: a.units - b.units, currency: a.currency };
}

export function isLess(a: Money, b: Money): boolean {
  assertSameCurrency(a, b);
  return a.units < b.units;
}

/** Integer division. `down` rounds towards zero, `up` away from it. */
export function divide(dividend: bigint, divisor: bigint, rounding: Rounding): bigint {
  if (divisor <= 0n) throw new RangeError('the divisor must be above zero');
  const quotient = dividend / divisor;
  const remainder = dividend % divisor;
  if (remainder === 0n || rounding === 'down') return quotient;
  const awayFromZero = quotient + (dividend < 0n ? -1n : 1n);
  if (rounding === 'up') return awayFromZero;
  const twice = (remainder < 0n ? -remainder : remainder) * 2n;
  if (twice === divisor) return quotient % 2n === 0n ? quotient : awayFromZero;
  return twice > divisor ? awayFromZero : quotient;
}

/** The fee in basis points, rounded down to the cent in favour of the payee. */
export function feeOf(amount: Money, feeBasisPoints: bigint): Money {
  const cents = divide(amount.units * feeBasisPoints, 10_000n * unitsPerCent, 'down');
  return { units: cents * unitsPerCent, currency: amount.currency };
}

function assertSameCurrency(a: Money, b: Money): void {
  if (a.currency !== b.currency) throw new TypeError(`cannot mix ${a.currency} and ${b.currency}`);
}
