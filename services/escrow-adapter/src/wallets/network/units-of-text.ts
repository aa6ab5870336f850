const decimal = /^(\d{1,12})(?:\.(\d{1,7}))?$/;
const decimalPlaces = 7;

/** Reads an amount as the network writes it, with up to seven decimal places, and more digits than our own amounts may have. */
export function unitsOfText(text: string): bigint {
  const match = decimal.exec(text);
  if (match === null) throw new RangeError(`"${text}" is not an amount of the ledger network`);
  return BigInt(`${match[1] ?? '0'}${(match[2] ?? '').padEnd(decimalPlaces, '0')}`);
}

const unitsPerWhole = 10_000_000n;

/** The way back: what operations are built with. */
export function textOfUnits(units: bigint): string {
  return `${units / unitsPerWhole}.${(units % unitsPerWhole).toString().padStart(decimalPlaces, '0')}`;
}
