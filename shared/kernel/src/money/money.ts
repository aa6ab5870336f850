export const currencies = ['USD', 'USDC', 'XLM'] as const;
export type Currency = (typeof currencies)[number];
export const baseCurrency: Currency = 'USD';

/** The tokens of the ledger network that the platform holds. */
export const custodyAssets = ['USDC', 'XLM'] as const;
export type CustodyAsset = (typeof custodyAssets)[number];

/** An exact amount: whole units of 10^-7 of a currency. Never a floating-point number, never two currencies at once. */
export type Money = { readonly units: bigint; readonly currency: Currency };

const decimalPlaces = 7;
const unitsPerWhole = 10_000_000n;
export const unitsPerCent = 100_000n;

/** No balance may pass this, so that every balance fits a signed 64-bit column. */
export const balanceUnitsMax = 900_000_000_000n * unitsPerWhole;

const amountPattern = /^(0|[1-9]\d{0,10})(?:\.(\d{1,7}))?$/;

/** Whether a text is a positive amount in the form the interface accepts: `12.50`, not `1e3`, `+1`, ` 1` or `01.00`. */
export function isAmount(text: string, placesMax: number): boolean {
  const match = amountPattern.exec(text);
  if (match === null) return false;
  return (match[2] ?? '').length <= placesMax && unitsOf(text) > 0n;
}

/** Reads an amount that has passed `isAmount`, or one of ours; zero is fine here. */
export function parseMoney(text: string, currency: Currency): Money {
  if (!amountPattern.test(text)) throw new RangeError('not a decimal amount');
  return { units: unitsOf(text), currency };
}

/** Reads what `formatUnits` wrote: below zero, too. */
export function parseUnits(text: string): bigint {
  return text.startsWith('-') ? -parseUnits(text.slice(1)) : parseMoney(text, baseCurrency).units;
}

export function money(units: bigint, currency: Currency): Money {
  return { units, currency };
}

/** At least two decimal places, and more only where the amount really has them. */
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
