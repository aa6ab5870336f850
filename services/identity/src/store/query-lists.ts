import type { QueryRows } from '@holdfast/postgres';
import type { Database } from '@holdfast/postgres';

/** Where the pages of lists are read. */
export type Lists = Pick<Database['lists'], 'query'>;

export function queryLists(lists: Lists): QueryRows {
  return async <Row>(text: string, values: readonly unknown[]) => (await lists.query<Row>(text, values)).rows;
}
