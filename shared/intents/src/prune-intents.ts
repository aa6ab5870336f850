import { deleteInBatches, type Database } from '@holdfast/postgres';

/**
 * A closed intent prevents that its message is handled again, so it outlives the inbox and the saga runs by far: no message of that age
 * is redelivered or resent.
 */
const retentionDays = 400;

/** Deletes intents that were closed long ago. Returns how many. For a service whose other tables do not refer to intents. */
export function pruneIntents(database: Pick<Database, 'lists'>, signal: AbortSignal): Promise<number> {
  // The index is on `created_at`, which is never later.
  const where = `created_at < now() - make_interval(days => $2)
      and closed_at < now() - make_interval(days => $2)`;
  return deleteInBatches(database, { table: 'intents', where, values: [retentionDays] }, signal);
}
