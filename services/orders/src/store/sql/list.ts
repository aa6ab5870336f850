/** One condition on a column, and what it is compared with; undefined where the filter is not used. */
export type Condition = { readonly left: string; readonly operator: '=' | '<' | '>'; readonly values: readonly unknown[] };

export type List = {
  readonly columns: string;
  readonly from: string;
  /** The table whose items are listed. */
  readonly item: string;
  readonly conditions: readonly (Condition | undefined)[];
};

export function equals(left: string, value: string | undefined): Condition | undefined {
  return value === undefined ? undefined : { left, operator: '=', values: [value] };
}

/**
 * Every list is ordered by birth, newest first; ids decide between those born at the same moment. A statement has only the
 * conditions that are asked for: each is planned for what it really has, and finds the index of a filter.
 */
export function listStatement({ columns, from, item, conditions }: List, limit: number) {
  const used = conditions.filter((condition) => condition !== undefined);
  const values: unknown[] = [];
  const parameter = (value: unknown): string => `$${values.push(value)}`;
  const where = used.map((condition) => `${condition.left} ${condition.operator} ${row(condition.values.map(parameter))}`);
  const text = `
  select ${columns}
  from ${from}
  where ${where.join('\n    and ')}
  order by ${item}.created_at desc, ${item}.id desc
  limit ${parameter(limit)}`;
  return { text, values };
}

function row(parameters: readonly string[]): string {
  return parameters.length === 1 ? parameters.join('') : `(${parameters.join(', ')})`;
}
