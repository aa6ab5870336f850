import { insertMany, propertiesBut, updateOne, type Table } from '@holdfast/postgres';
import { backoffInterval, claimDue, nextDue } from '@holdfast/work';

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
    update: updateOne({ ...table, name: `update-${table.table}`, key: ['id'], set: propertiesBut(table.columns, fixed) }),
  };
}

/**
 * Rows whose status must be read at the payment provider now. The next poll is set before the status is read, so that two replicas never
 * read the same one. Polls back off to an hour: webhooks and refreshes are faster.
 */
export function takeDueStatement<Row>({ table, selected }: Pick<Table<Row>, 'table' | 'selected'>) {
  return claimDue({
    name: `take-due-${table}`,
    table,
    where: 'next_poll_at <= now()',
    orderBy: 'next_poll_at',
    limit: '$1',
    set: `polls = polls + 1, next_poll_at = now() + ${backoffInterval({ attempts: 'polls', first: '5', max: '3600' })}`,
    returning: selected,
  });
}

/** When the next status must be read, in so many milliseconds. */
export function nextPollStatement<Row>({ table }: Pick<Table<Row>, 'table'>) {
  return nextDue({ name: `next-poll-of-${table}`, table, where: 'next_poll_at is not null', dueAt: 'next_poll_at' });
}
