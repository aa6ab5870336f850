type Scalar = string | number | bigint | null | undefined;

/**
 * One column of many rows as the text of a Postgres array. The driver could do it too, at several times the cost, and these
 * arrays are most of what a batch sends. Nulls at the end are left out: `unnest` fills the shorter of its arrays up with them.
 */
export function arrayOf<Row>(rows: readonly Row[], valueOf: (row: Row) => Scalar): string {
  const elements = rows.map((row) => elementOf(valueOf(row)));
  while (elements.at(-1) === nullElement) elements.pop();
  return `{${elements.join(',')}}`;
}

const nullElement = 'null';

/** Ids and the like need no quotes, and are most of it. A word that reads null would be taken for one. */
const plainWord = /^(?!null$)[a-z0-9_]+$/i;

function elementOf(value: Scalar): string | number | bigint {
  if (value === null || value === undefined) return nullElement;
  if (typeof value !== 'string' || plainWord.test(value)) return value;
  return `"${value.replace(/["\\]/g, '\\$&')}"`;
}
