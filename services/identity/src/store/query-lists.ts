import type { QueryRows } from '@holdfast/shared/pages';
import type { Database } from '@holdfast/shared/postgres';

/** Where the pages of lists are read. */
export type Lists = Pick<Database['lists'], 'query'>;

export function queryLists(lists: Lists): QueryRows {
  return async <Row>(text: string, values: readonly unknown[]) => (await lists.query<Row>(text, values)).rows;
}
