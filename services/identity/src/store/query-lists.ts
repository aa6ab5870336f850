import type { QueryRows } from '@holdfast/postgres';
import type { Database } from '@holdfast/postgres';

/** The connection pool for list queries. */
export type Lists = Pick<Database['lists'], 'query'>;

export function queryLists(lists: Lists): QueryRows {
  return async <Row>(text: string, values: readonly unknown[]) => (await lists.query<Row>(text, values)).rows;
}
