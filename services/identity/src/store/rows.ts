import type { PageFilter } from '@holdfast/shared/pages';
import { toAppError, type Database } from '@holdfast/shared/postgres';

type Paging = {
  /** A list statement, and the parameters of its filters. */
  readonly list: string;
  readonly filters: readonly unknown[];
  /** When the item that a cursor names was born; no row where it is not in the list. */
  readonly cursor: string;
  readonly cursorFilters: readonly unknown[];
};

/** One row more than the limit where there is more; undefined where the cursor is not an item of the list. */
export async function pageOfRows<Row>(
  database: Database,
  paging: Paging,
  filter: PageFilter,
): Promise<readonly Row[] | undefined> {
  const { limit, cursor = null, createdAfter = null, createdBefore = null } = filter;
  const born = cursor === null ? null : await birthOf(database, paging, cursor);
  if (born === undefined) return undefined;
  return rowsOf<Row>(database, paging.list, [...paging.filters, createdAfter, createdBefore, born, cursor, limit + 1]);
}

async function birthOf(database: Database, { cursor: sql, cursorFilters }: Paging, cursor: string): Promise<string | undefined> {
  const [row] = await rowsOf<{ readonly created_at: string }>(database, sql, [...cursorFilters, cursor]);
  return row?.created_at;
}

/** A read outside of transactions, with words for a database that does not answer. */
async function rowsOf<Row>(database: Database, sql: string, values: readonly unknown[]): Promise<readonly Row[]> {
  try {
    return (await database.pool.query(sql, [...values])).rows as readonly Row[];
  } catch (error) {
    throw toAppError(error);
  }
}
