import type { Statement } from './database.js';

/**
 * A statement about any number of rows, as a list of values. Each number of rows is a statement of its own, parsed and planned once in a
 * connection; for one row it costs what a statement about one row costs, where arrays would have to be taken apart.
 */
export function forRows(
  make: (rows: (types: readonly string[]) => string, count: number) => Statement,
): (count: number) => Statement {
  const made: Statement[] = [];
  return (count) => (made[count] ??= make((types) => rowsOfValues(types, count), count));
}

/** `($1::text, $2::integer), ($3::text, $4::integer)` */
function rowsOfValues(types: readonly string[], count: number): string {
  const row = (_: unknown, index: number) =>
    `(${types.map((type, place) => `$${index * types.length + place + 1}::${type}`).join(', ')})`;
  return Array.from({ length: count }, row).join(',\n    ');
}
