/** The first difference between an envelope and what was requested. The texts are for the log, the audit entry and the operator. */
export type Mismatch = {
  /** The path of the field, such as `call.expected_escrow.roles.receiver`. */
  readonly field: string;
  readonly expected: string;
  readonly found: string;
};

/** Undefined if the two texts are the same. */
export function compareText(field: string, expected: string, found: string): Mismatch | undefined {
  return expected === found ? undefined : { field, expected, found };
}

/** The first mismatch of the items at the same place; other numbers of items are a mismatch themselves. */
export function compareLists<Expected, Found>(
  field: string,
  expected: readonly Expected[],
  found: readonly Found[],
  compareItems: (expected: Expected, found: Found, index: number) => Mismatch | undefined,
): Mismatch | undefined {
  for (const [index, item] of expected.entries()) {
    const other = found[index];
    const mismatch = other === undefined ? undefined : compareItems(item, other, index);
    if (mismatch !== undefined) return mismatch;
  }
  return compareText(`${field}.length`, String(expected.length), String(found.length));
}
