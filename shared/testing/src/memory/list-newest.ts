import type { PageFilter } from '@holdfast/kernel/pages';

type ListKey = { readonly id: string; readonly createdAt: string };

type List<Row> = {
  /** All rows of the list. A cursor must be one of them. */
  readonly rows: Iterable<Row>;
  /** The filters of the request. The row of the cursor need not match them. */
  readonly matches: (row: Row) => boolean;
  readonly keyOf: (row: Row) => ListKey;
};

/** A page of rows, newest first, with one more than the limit if there is another page. Undefined if the cursor is unknown. */
export function listNewest<Row>(
  { rows, matches, keyOf }: List<Row>,
  { cursor, limit, createdAfter, createdBefore }: PageFilter,
): readonly Row[] | undefined {
  const newestFirst = [...rows].toSorted((one, other) => (isOlder(keyOf(one), keyOf(other)) ? 1 : -1));
  const last = newestFirst.findIndex((row) => keyOf(row).id === cursor);
  if (cursor !== undefined && last < 0) return undefined;
  const isWithin = ({ createdAt }: ListKey): boolean => createdAt > (createdAfter ?? '') && createdAt < (createdBefore ?? '~');
  return newestFirst
    .slice(last + 1)
    .filter((row) => matches(row) && isWithin(keyOf(row)))
    .slice(0, limit + 1);
}

function isOlder(one: ListKey, other: ListKey): boolean {
  return one.createdAt === other.createdAt ? one.id < other.id : one.createdAt < other.createdAt;
}
