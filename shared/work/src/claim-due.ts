import type { ConnectionPool } from '@holdfast/postgres';

export type DueRows = {
  /** The name of the prepared statement. */
  readonly name: string;
  readonly table: string;
  /** The primary key of the table; `id` by default. */
  readonly key?: string;
  /** Which rows are due. */
  readonly where: string;
  readonly orderBy: string;
  /** The most rows that one call claims, as a parameter or a number. */
  readonly limit: string;
  /** Moves the due time, so that no other call claims the rows meanwhile. If this process dies, they are due again at that time. */
  readonly set: string;
  readonly returning: string;
};

/** A statement that claims due rows. Rows that another process is claiming are skipped, so that replicas share the work. */
export function claimDue({ name, table, key = 'id', where, orderBy, limit, set, returning }: DueRows) {
  return {
    name,
    text: `
  with due as materialized (
    select ${key}
    from ${table}
    where ${where}
    order by ${orderBy}
    limit ${limit}
    for update skip locked
  )
  update ${table}
  set ${set}
  from due
  where ${table}.${key} = due.${key}
  returning ${returning}`,
  };
}

/** The exponent has a limit, because the power of a large one is out of range. */
const doublingsMax = 30;

/** The interval after so many attempts: the first delay, doubled with each attempt, up to the longest one. All are SQL expressions; the delays are seconds. */
export function backoffInterval({
  attempts,
  first,
  max,
}: {
  readonly attempts: string;
  readonly first: string;
  readonly max: string;
}) {
  return `make_interval(secs => least(${first} * power(2, least(${attempts}, ${doublingsMax})), ${max}))`;
}

/** How long due work sleeps at most: then it looks for rows that a dead process has left. */
export const dueWorkEveryMs = 10_000;

type NextDue = {
  /** The name of the prepared statement. */
  readonly name: string;
  readonly table: string;
  /** Which rows will be due. */
  readonly where: string;
  /** When a row is due, as an SQL expression that an index serves. */
  readonly dueAt: string;
};

/** A statement that returns in how many milliseconds the first row is due, for `nextDueInMs` of a job. */
export function nextDue({ name, table, where, dueAt }: NextDue) {
  return {
    name,
    text: `
  select (extract(epoch from ${dueAt} - clock_timestamp()) * 1000)::float8 as "inMs"
  from ${table}
  where ${where}
  order by ${dueAt}
  limit 1`,
  };
}

/** Undefined if no row waits. The jobs of a process that look at the same time share a statement, if they use the same pool. */
export function readNextDue(
  { selectValue }: Pick<ConnectionPool, 'selectValue'>,
  statement: ReturnType<typeof nextDue>,
): Promise<number | undefined> {
  return selectValue<number>(statement);
}
