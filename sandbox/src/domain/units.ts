const places = 7;
export const unitsPerWhole = 10_000_000n;

/** Parses `12.5` or `12.5000000` exactly; undefined for any text that is not an amount with at most seven decimals. */
export function parseUnits(text: string): bigint | undefined {
  const match = /^(\d{1,12})(?:\.(\d{1,7}))?$/.exec(text);
  if (match === null) return undefined;
  return BigInt(match[1] ?? '0') * unitsPerWhole + BigInt((match[2] ?? '').padEnd(places, '0'));
}

/** With all seven decimals, as the ledger network writes amounts. */
export function formatUnits(units: bigint): string {
  const digits = units.toString().padStart(places + 1, '0');
  return `${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

/** Providers send amounts as JSON numbers. An amount with more than seven decimals is refused and never rounded. */
export function unitsOfNumber(amount: number): bigint | undefined {
  if (!Number.isFinite(amount) || amount < 0) return undefined;
  // String() gives the shortest text of the number, as the sender wrote it; only tiny numbers get an exponent.
  const text = String(amount);
  if (!text.includes('e')) return parseUnits(text);
  const fixed = amount.toFixed(places);
  return Number(fixed) === amount ? parseUnits(fixed) : undefined;
}

export function numberOfUnits(units: bigint): number {
  return Number(formatUnits(units));
}
