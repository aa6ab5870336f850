import type { PageFilter } from '@holdfast/shared/pages';
import { toAppError, type Database, type Statement } from '@holdfast/shared/postgres';
import { listStatement, type Condition, type List } from './sql/list.js';

type Paging = List & {
  /** When the item that a cursor names was born; no row where it is not in the list. Its parameters: the owner, the cursor. */
  readonly cursor: string;
  readonly owner: string;
};

/** One row more than the limit where there is more; undefined where the cursor is not an item of the list. */
export async function pageOfRows<Row>(database: Database, paging: Paging, page: PageFilter): Promise<readonly Row[] | undefined> {
  const { cursor } = page;
  const born = cursor === undefined ? undefined : await birthOf(database, paging, cursor);
  if (cursor !== undefined && born === undefined) return undefined;
  const beyond = cursor === undefined ? [] : [born, cursor];
  const conditions = [...paging.conditions, ...withinPage(paging.item, page, beyond)];
  const { text, values } = listStatement({ ...paging, conditions }, page.limit + 1);
  return rowsOf<Row>(database, text, values);
}

function withinPage(item: string, { createdAfter, createdBefore }: PageFilter, beyond: readonly unknown[]): readonly Condition[] {
  const createdAt = `${item}.created_at`;
  return [
    ...(createdAfter === undefined ? [] : [{ left: createdAt, operator: '>', values: [createdAfter] } as const]),
    ...(createdBefore === undefined ? [] : [{ left: createdAt, operator: '<', values: [createdBefore] } as const]),
    ...(beyond.length === 0 ? [] : [{ left: `(${createdAt}, ${item}.id)`, operator: '<', values: beyond } as const]),
  ];
}

async function birthOf(database: Database, { cursor: sql, owner }: Paging, cursor: string): Promise<string | undefined> {
  const [row] = await rowsOf<{ readonly created_at: string }>(database, sql, [owner, cursor]);
  return row?.created_at;
}

/** A read outside of transactions, with words for a database that does not answer. */
export async function rowsOf<Row>(
  database: Database,
  sql: string | Statement,
  values: readonly unknown[],
): Promise<readonly Row[]> {
  try {
    const statement = typeof sql === 'string' ? { text: sql } : sql;
    return (await database.pool.query({ ...statement, values: [...values] })).rows as readonly Row[];
  } catch (error) {
    throw toAppError(error);
  }
}
