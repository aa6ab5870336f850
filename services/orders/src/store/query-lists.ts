import type { QueryRows } from '@holdfast/postgres';
import type { Database } from '@holdfast/postgres';

/** Lists have connections of their own, so that they never hold up a change of an order. */
export function queryLists({ lists }: Pick<Database, 'lists'>): QueryRows {
  return async <Row>(text: string, values: readonly unknown[]) => (await lists.query<Row>(text, values)).rows;
}
