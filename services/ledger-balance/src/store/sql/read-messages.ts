import { arrayOfAnyLength } from '@holdfast/postgres';

/**
 * Whether messages were handled, the replies of their handling, and the replies of their saga runs that were aborted. A message that
 * caused a transfer was handled, even if its inbox row was pruned. Read while runs and accounts are locked: a concurrent transaction
 * with the same message or run has committed by then. Subqueries that select a value use the indexes whatever the statistics of the tables
 * are; for `exists` Postgres may read the whole table instead.
 */
export const readMessages = {
  name: 'read-messages',
  text: `
  select given.message_id as id,
    given.saga_run_id as "sagaRunId",
    coalesce(
      (select true from inbox where inbox.consumer = $1 and inbox.message_id = given.message_id),
      (select true from transfers where transfers.cause = given.message_id),
      false
    ) as "isHandled",
    (select inbox.replies from inbox where inbox.consumer = $1 and inbox.message_id = given.message_id) as replies,
    (select aborted_runs.replies from aborted_runs where aborted_runs.saga_run_id = given.saga_run_id) as "repliesOfAbort"
  from unnest(${arrayOfAnyLength('$2::text[]')}, $3::text[]) as given (message_id, saga_run_id)`,
};

export type MessageRow = {
  readonly id: string;
  readonly sagaRunId: string | null;
  readonly isHandled: boolean;
  readonly replies: string | null;
  readonly repliesOfAbort: string | null;
};
