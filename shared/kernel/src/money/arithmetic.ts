import { unitsPerCent, type Money } from './money.js';

export const roundings = ['down', 'up', 'halfEven'] as const;
export type Rounding = (typeof roundings)[number];

export function add(a: Money, b: Money): Money {
  return { units: a.units + sameCurrency(a, b).units, currency: a.currency };
}

export function subtract(a: Money, b: Money): Money {
  return { units: a.units - sameCurrency(a, b).units, currency: a.currency };
}

export function isLess(a: Money, b: Money): boolean {
  return a.units < sameCurrency(a, b).units;
}

/** Divides whole numbers; `down` and `up` mean towards zero and away from it. */
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

/** A share of an amount in basis points, rounded down to the cent: the remainder stays with the one who is paid. */
export function feeOf(amount: Money, feeBasisPoints: bigint): Money {
  const cents = divide(amount.units * feeBasisPoints, 10_000n * unitsPerCent, 'down');
  return { units: cents * unitsPerCent, currency: amount.currency };
}

function sameCurrency(a: Money, b: Money): Money {
  if (a.currency !== b.currency) throw new TypeError(`cannot mix ${a.currency} and ${b.currency}`);
  return b;
}
