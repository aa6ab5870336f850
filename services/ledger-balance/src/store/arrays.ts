type Scalar = string | number | bigint | boolean | null | undefined;

/**
 * One column of many rows as the text of a Postgres array. The driver could do it too, at several times the cost, and these
 * arrays are most of what a batch sends.
 */
export function arrayOf<Row>(rows: readonly Row[], column: keyof Row & string): string {
  let text = '{';
  rows.forEach((row, index) => {
    if (index > 0) text += ',';
    text += element(row[column] as Scalar);
  });
  return `${text}}`;
}

function element(value: Scalar): string {
  if (value === null || value === undefined) return 'null';
  if (typeof value !== 'string') return value.toString();
  return `"${/["\\]/.test(value) ? value.replace(/["\\]/g, '\\$&') : value}"`;
}
