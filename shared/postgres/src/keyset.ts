import type { PageFilter } from '@holdfast/kernel/pages';
import type { Table } from './columns.js';
import type { Database } from './database.js';

/** A condition on a column. It is left out if its value is undefined. */
export type Condition = {
  readonly column: string;
  readonly operator: '=' | '<>' | '<' | '<=' | '>' | '>=' | '= any' | '<> all' | '@>';
  readonly value: unknown;
};

/** A list with keyset pagination, newest first. */
export type KeysetList = {
  readonly columns: string;
  readonly from: string;
  /** The columns to sort by, all descending. Usually `created_at` and `id`. */
  readonly keyset: readonly string[];
  /** The column whose values are the cursors. */
  readonly idColumn: string;
  /** Defines the list. A cursor must be an item of it. */
  readonly scope: readonly Condition[];
  /** Filters of the request. The cursor's item need not match them any more. */
  readonly filters: readonly Condition[];
};

/** The connection pool for list queries: they never delay a change. */
export type Lists = Pick<Database['lists'], 'query'>;

/** The rows of a table, newest first. */
export function newestOf<Row>({
  table,
  selected,
}: Pick<Table<Row>, 'table' | 'selected'>): Omit<KeysetList, 'scope' | 'filters'> {
  return { columns: selected, from: table, keyset: ['created_at', 'id'], idColumn: 'id' };
}

export function equals(column: string, value: unknown): Condition {
  return { column, operator: '=', value };
}

/** The filters `created_after` and `created_before` of all lists. */
export function createdWithin(column: string, { createdAfter, createdBefore }: PageFilter): readonly Condition[] {
  return [
    { column, operator: '>', value: createdAfter },
    { column, operator: '<', value: createdBefore },
  ];
}

/**
 * The rows of a page, and one more if there is another page (see `toPage`). Undefined if the cursor is not an item of the list.
 */
export async function queryPage<Row>(
  lists: Lists,
  list: KeysetList,
  { cursor, limit }: Pick<PageFilter, 'cursor' | 'limit'>,
): Promise<readonly Row[] | undefined> {
  const after = cursor === undefined ? [] : await findKeys(lists, list, cursor);
  if (after === undefined) return undefined;
  const { text, values } = pageStatement(list, after, limit);
  return (await lists.query<Row>(text, values)).rows;
}

type Statement = { readonly text: string; readonly values: readonly unknown[] };

/**
 * The statement has only the conditions in use and no name, so that the server plans it for these values and can use the index of
 * a filter.
 */
function pageStatement(
  { columns, from, keyset, scope, filters }: KeysetList,
  after: readonly string[],
  limit: number,
): Statement {
  const parameters = numberedParameters();
  const where = whereClause([...scope, ...filters], parameters);
  if (after.length > 0) where.push(`(${keyset.join(', ')}) < (${after.map(parameters.add).join(', ')})`);
  const text = `
  select ${columns}
  from ${from}
  ${where.length === 0 ? '' : `where ${where.join('\n    and ')}`}
  order by ${keyset.map((column) => `${column} desc`).join(', ')}
  limit ${parameters.add(limit + 1)}`;
  return { text, values: parameters.values };
}

/** The keyset values of the cursor's item, as text, because a JavaScript Date would lose the microseconds. */
async function findKeys(lists: Lists, list: KeysetList, cursor: string): Promise<readonly string[] | undefined> {
  const { from, keyset, idColumn, scope } = list;
  const parameters = numberedParameters();
  const where = whereClause([...scope, equals(idColumn, cursor)], parameters);
  const text = `
  select array[${keyset.map((column) => `${column}::text`).join(', ')}] as keys
  from ${from}
  where ${where.join('\n    and ')}`;
  const { rows } = await lists.query<{ readonly keys: readonly string[] }>(text, parameters.values);
  return rows[0]?.keys;
}

type Parameters = { readonly values: readonly unknown[]; readonly add: (value: unknown) => string };

function numberedParameters(): Parameters {
  const values: unknown[] = [];
  return { values, add: (value) => `$${values.push(value)}` };
}

function whereClause(conditions: readonly Condition[], { add }: Parameters): string[] {
  return conditions
    .filter(({ value }) => value !== undefined)
    .map(({ column, operator, value }) => `${column} ${operator} (${add(value)})`);
}
