import { insertMany, propertiesBut, selectList, updateMany, type Columns } from '@holdfast/postgres';
import { backoffInterval, claimDue } from '@holdfast/work';

type Aggregate<Row, Fixed extends keyof Row> = {
  readonly table: string;
  readonly columns: Columns<Row>;
  /** What never changes after the insert. */
  readonly fixed: readonly Fixed[];
  /** SQL after the inserted rows. */
  readonly insertSuffix?: string;
  /** The rows that the API shows; default: all. */
  readonly visible?: string;
};

/** The statements that every aggregate of this service has. */
export function aggregateStatements<Row extends { readonly id: string }, Fixed extends keyof Row>(of: Aggregate<Row, Fixed>) {
  const { table, columns, fixed, insertSuffix = '', visible = table } = of;
  const selected = selectList(columns, table);
  return {
    selected,
    insert: insertMany({ name: `insert-${table}`, table, columns, suffix: insertSuffix }),
    update: updateMany({ name: `update-${table}`, table, columns, key: ['id'], set: propertiesBut(columns, fixed) }),
    lock: {
      name: `lock-${table}`,
      text: `
  select ${selected}
  from ${table}
  where id = $1
  for update`,
    },
    find: {
      name: `find-${table}`,
      text: `
  select ${selected}
  from ${visible}
  where id = $1
    and marketplace_id = $2`,
    },
  };
}

/**
 * Rows whose status must be read at the payment provider now. The next poll is set before the status is read, so that two replicas never
 * read the same one. Polls back off to an hour: webhooks and refreshes are faster.
 */
export function takeDueStatement({ table, selected }: { readonly table: string; readonly selected: string }) {
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
