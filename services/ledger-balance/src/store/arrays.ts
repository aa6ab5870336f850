type Scalar = string | number | bigint | boolean | null | undefined;

/**
 * One column of many rows as the text of a Postgres array. The driver could do it too, at several times the cost, and these
 * arrays are most of what a batch sends. Nulls at the end are left out: `unnest` fills the shorter of its arrays up with them.
 */
export function arrayOf<Row>(rows: readonly Row[], valueOf: (row: Row) => Scalar): string {
  let text = '{';
  let nulls = '';
  for (const row of rows) {
    const value = valueOf(row);
    if (value === null || value === undefined) {
      nulls += 'null,';
      continue;
    }
    if (text.length > 1) text += ',';
    text += nulls + element(value);
    nulls = '';
  }
  return `${text}}`;
}

function element(value: NonNullable<Scalar>): string {
  if (typeof value !== 'string') return value.toString();
  return `"${/["\\]/.test(value) ? value.replace(/["\\]/g, '\\$&') : value}"`;
}
