/** Every list is ordered by birth, newest first; ids decide between those born at the same moment. */
type List = {
  readonly columns: string;
  /** The table whose items are listed, and whatever is joined to it. */
  readonly from: string;
  readonly item: string;
  /** Conditions on top of time and cursor; their parameters come first. */
  readonly filters: readonly string[];
};

/**
 * A filter that is not used is a null parameter. The statements have no name, so that each is planned for the filters it
 * really has: with a name, all of them would share one plan that can use no index.
 */
export function listStatement({ columns, from, item, filters }: List): string {
  const first = filters.length + 1;
  const conditions = [
    ...filters,
    `($${first}::timestamptz is null or ${item}.created_at > $${first})`,
    `($${first + 1}::timestamptz is null or ${item}.created_at < $${first + 1})`,
    `($${first + 2}::timestamptz is null or (${item}.created_at, ${item}.id) < ($${first + 2}, $${first + 3}))`,
  ];
  return `
  select ${columns}
  from ${from}
  where ${conditions.join('\n    and ')}
  order by ${item}.created_at desc, ${item}.id desc
  limit $${first + 4}`;
}
