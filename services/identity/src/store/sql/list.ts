/** Every list is ordered by birth, newest first; ids decide between those born at the same moment. */
type List = {
  readonly table: string;
  /** Names of columns as the mapper would give them. */
  readonly columns: string;
  /** Conditions on top of time and cursor; their parameters come first. */
  readonly filters: readonly string[];
};

/**
 * A filter that is not used is a null parameter. The statements have no name, so that each is planned for the filters it
 * really has: with a name, all of them would share one plan that can use no index.
 */
export function listStatement({ table, columns, filters }: List): string {
  const first = filters.length + 1;
  const conditions = [
    ...filters,
    `($${first}::timestamptz is null or created_at > $${first})`,
    `($${first + 1}::timestamptz is null or created_at < $${first + 1})`,
    `($${first + 2}::timestamptz is null or (created_at, id) < ($${first + 2}, $${first + 3}))`,
  ];
  return `
  select ${columns}
  from ${table}
  where ${conditions.join('\n    and ')}
  order by created_at desc, id desc
  limit $${first + 4}`;
}
