const decimal = /^(\d{1,12})(?:\.(\d{1,7}))?$/;
const decimalPlaces = 7;

export function isAmount(text: string): boolean {
  return decimal.test(text);
}

/** Parses an amount of the network: up to seven decimal places, and more digits than the platform's own amounts allow. */
export function unitsOfText(text: string): bigint {
  const match = decimal.exec(text);
  if (match === null) throw new RangeError(`"${text}" is not an amount of the ledger network`);
  return BigInt(`${match[1] ?? '0'}${(match[2] ?? '').padEnd(decimalPlaces, '0')}`);
}

const unitsPerWhole = 10_000_000n;

/** Formats an amount for an operation of the network. */
export function textOfUnits(units: bigint): string {
  return `${units / unitsPerWhole}.${(units % unitsPerWhole).toString().padStart(decimalPlaces, '0')}`;
}
