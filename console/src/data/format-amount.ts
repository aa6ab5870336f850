const amountText = /^(-?)(\d+)(\.\d+)?$/;

/** `1234567.50` as `1,234,567.50`. Amounts are texts from end to end: a float would change them. */
export function formatAmount(amount: string): string {
  const [, sign = '', whole = '', fraction = ''] = amountText.exec(amount) ?? [];
  if (whole === '') return amount;
  return `${sign === '-' ? '−' : ''}${whole.replace(/\B(?=(\d{3})+$)/g, ',')}${fraction}`;
}

/** The whole units of 10^-7 of an amount. */
export function unitsOf(amount: string): bigint {
  const [, sign = '', whole = '0', fraction = ''] = amountText.exec(amount) ?? [];
  const units = BigInt(whole) * 10_000_000n + BigInt(fraction.slice(1, 8).padEnd(7, '0'));
  return sign === '-' ? -units : units;
}

/** With at least two decimal places, as the platform writes amounts. */
export function amountOf(units: bigint): string {
  const size = units < 0n ? -units : units;
  const fraction = String(size % 10_000_000n)
    .padStart(7, '0')
    .replace(/0{1,5}$/, '');
  return `${units < 0n ? '-' : ''}${size / 10_000_000n}.${fraction}`;
}

export function sumOf(amounts: readonly string[]): string {
  return amountOf(amounts.reduce((sum, amount) => sum + unitsOf(amount), 0n));
}
