export const currencies = ['USD', 'USDC', 'XLM'] as const;
export type Currency = (typeof currencies)[number];
export const baseCurrency: Currency = 'USD';

/** The assets of the ledger network that the platform holds in custody. */
export const custodyAssets = ['USDC', 'XLM'] as const;
export type CustodyAsset = (typeof custodyAssets)[number];

/** An exact amount: an integer number of units of 10^-7 of a currency. */
export type Money = { readonly units: bigint; readonly currency: Currency };

const decimalPlaces = 7;
const unitsPerWhole = 10_000_000n;
export const unitsPerCent = 100_000n;

/** Upper limit of a balance for new money. It is below `storedUnitsMax`, so that money which the platform holds already still fits. */
export const balanceUnitsMax = 900_000_000_000n * unitsPerWhole;

/** Upper limit of a signed 64-bit column. */
export const storedUnitsMax = 2n ** 63n - 1n;

const amountPattern = /^(0|[1-9]\d{0,10})(?:\.(\d{1,7}))?$/;

/** Whether a text is a positive amount in the API's form: `12.50`, but not `1e3`, `+1`, ` 1` or `01.00`. */
export function isAmount(text: string, placesMax: number): boolean {
  const match = amountPattern.exec(text);
  if (match === null) return false;
  return (match[2] ?? '').length <= placesMax && unitsOf(text) > 0n;
}

/** Without the limit of the API: we format sums of amounts, too. */
const formattedPattern = /^(0|[1-9]\d*)(?:\.\d{1,7})?$/;

/** Parses an amount that `isAmount` has accepted or that we have formatted; zero is allowed. */
export function parseMoney(text: string, currency: Currency): Money {
  if (!formattedPattern.test(text)) throw new RangeError('not a decimal amount');
  return { units: unitsOf(text), currency };
}

const unitsPattern = /^-?\d+(?:\.\d{1,7})?$/;

/** The inverse of `formatUnits`, for negative numbers and for sums of any size, too. */
export function parseUnits(text: string): bigint {
  if (!unitsPattern.test(text)) throw new RangeError('not a decimal number');
  return text.startsWith('-') ? -unitsOf(text.slice(1)) : unitsOf(text);
}

export function money(units: bigint, currency: Currency): Money {
  return { units, currency };
}

/** A decimal number with at least two decimal places and no further trailing zeros. */
export function formatUnits(units: bigint): string {
  const digits = (units < 0n ? -units : units).toString().padStart(decimalPlaces + 1, '0');
  const whole = digits.length - decimalPlaces;
  let end = digits.length;
  while (end > whole + 2 && digits.charAt(end - 1) === '0') end -= 1;
  return `${units < 0n ? '-' : ''}${digits.slice(0, whole)}.${digits.slice(whole, end)}`;
}

export function formatMoney(amount: Money): string {
  return formatUnits(amount.units);
}

function unitsOf(text: string): bigint {
  const [whole = '0', fraction = ''] = text.split('.');
  return BigInt(whole) * unitsPerWhole + BigInt(fraction.padEnd(decimalPlaces, '0'));
}
