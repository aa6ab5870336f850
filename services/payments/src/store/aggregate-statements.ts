import { insertMany, propertiesBut, updateMany, type Table } from '@holdfast/postgres';

type Options<Row, Fixed extends keyof Row> = {
  /** What never changes after the insert. */
  readonly fixed: readonly Fixed[];
  /** SQL after the inserted rows. */
  readonly insertSuffix?: string;
};

/** The writes of an aggregate. They are deferred, so that the writes of a transaction share a round trip. */
export function writesOf<Row extends { readonly id: string }, Fixed extends keyof Row>(
  table: Table<Row>,
  { fixed, insertSuffix = '' }: Options<Row, Fixed>,
) {
  return {
    insert: insertMany({ ...table, name: `insert-${table.table}`, suffix: insertSuffix }),
    update: updateMany({ ...table, name: `update-${table.table}`, key: ['id'], set: propertiesBut(table.columns, fixed) }),
  };
}

/**
 * Rows whose status must be read at the payment provider now. The next poll is set before the status is read, so that two replicas never
 * read the same one. Polls back off to an hour: webhooks and refreshes are faster.
 */
export function takeDueStatement<Row>({ table, selected }: Pick<Table<Row>, 'table' | 'selected'>) {
  return {
    name: `take-due-${table}`,
    text: `
  with due as materialized (
    select id
    from ${table}
    where next_poll_at <= now()
    order by next_poll_at
    limit $1
    for update skip locked
  )
  update ${table}
  set polls = polls + 1,
    next_poll_at = now() + make_interval(secs => least(5 * power(2, least(polls, 20)), 3600))
  from due
  where ${table}.id = due.id
  returning ${selected}`,
  };
}
