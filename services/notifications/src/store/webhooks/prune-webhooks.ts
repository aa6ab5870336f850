import type { Clock } from '@holdfast/kernel/context';
import { idFactory } from '@holdfast/kernel/ids';
import { deleteInBatches, type Database } from '@holdfast/postgres';
import { deliveries, endpoints, isOpen } from './schema.js';

const dayMs = 86_400_000;

/** Deletes deliveries a day after their events, so that what was delivered is known as long as the event is; then deleted endpoints. */
export async function pruneWebhooks(
  database: Pick<Database, 'lists'>,
  { clock, historyDays }: { readonly clock: Clock; readonly historyDays: number },
  signal: AbortSignal,
): Promise<void> {
  const beforeMs = clock.epochMs() - (historyDays + 1) * dayMs;
  // Ids begin with the time of their creation, so the primary key finds them.
  const values = [idFactory(() => beforeMs)('whd')];
  await deleteInBatches(database, { table: deliveries.table, where: `id < $2 and not (${isOpen})`, values }, signal);
  const where = `deleted_at < now() - make_interval(days => $2)
      and not exists (select from ${deliveries.table} where endpoint_id = ${endpoints.table}.id)`;
  await deleteInBatches(database, { table: endpoints.table, where, values: [historyDays + 1] }, signal);
}
