import type { Database, QueryRows } from '@holdfast/postgres';

/** Lists use their own connection pool, so that they never delay a change of an order. */
export function queryLists({ lists }: Pick<Database, 'lists'>): QueryRows {
  return async <Row>(text: string, values: readonly unknown[]) => (await lists.query<Row>(text, values)).rows;
}
