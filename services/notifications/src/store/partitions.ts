import { toInstant, type Clock, type Instant } from '@holdfast/shared/context';
import type { Database } from '@holdfast/shared/postgres';

const dayMs = 86_400_000;
/** Made ahead of their time, so that no append ever waits for one. */
const daysAhead = 2;

const oneAtATime = `select pg_advisory_xact_lock(hashtextextended('holdfast:event-partitions:' || current_schema(), 0))`;

/** The partition of a day is called events_20260131. */
function partitionOf(day: string): string {
  return `events_${day.replaceAll('-', '')}`;
}

function dayOf(epochMs: number): string {
  return toInstant(epochMs).slice(0, 10);
}

/** Makes the partitions of today and the next days where they are missing. */
export async function makePartitions(database: Pick<Database, 'inTransaction'>, { epochMs }: Clock): Promise<void> {
  const now = epochMs();
  await database.inTransaction(async (tx) => {
    await tx.query(oneAtATime);
    for (let ahead = 0; ahead <= daysAhead; ahead += 1) {
      const [from, to] = [dayOf(now + ahead * dayMs), dayOf(now + (ahead + 1) * dayMs)];
      await tx.query(
        `create table if not exists ${partitionOf(from)} partition of events for values from ('${from}') to ('${to}')`,
      );
    }
  });
}

/** Makes partitions whenever a day has begun that it has not seen, however long nothing happened before. */
export function partitionKeeper(database: Pick<Database, 'inTransaction'>, clock: Clock): () => Promise<void> {
  let seenDay = '';
  return async () => {
    const day = dayOf(clock.epochMs());
    if (day === seenDay) return;
    await makePartitions(database, clock);
    seenDay = day;
  };
}

export type Retention = { readonly days: number; readonly countMin: number };

const selectPartitions = `
  select child.relname as name
  from pg_inherits
  join pg_class child on child.oid = inhrelid
  join pg_class parent on parent.oid = inhparent
  join pg_namespace on pg_namespace.oid = parent.relnamespace
  where parent.relname = 'events'
    and nspname = current_schema()
  order by child.relname`;

const noteForgotten = `
  update marketplace_clocks
  set forgotten_until = greatest(forgotten_until, dropped.occurred_at)
  from unnest($1::text[], $2::timestamptz[]) as dropped (marketplace_id, occurred_at)
  where marketplace_clocks.marketplace_id = dropped.marketplace_id`;

/**
 * Drops whole days that are older than the history and not among the newest events. Positions have no gaps, so how many
 * events are newer is a subtraction. Returns the days that went.
 */
export async function dropOldPartitions(
  database: Pick<Database, 'pool' | 'inTransaction'>,
  { epochMs }: Clock,
  { days, countMin }: Retention,
): Promise<readonly string[]> {
  const oldest = partitionOf(dayOf(epochMs() - days * dayMs));
  const { rows: partitions } = await database.pool.query<{ readonly name: string }>(selectPartitions);
  const { rows: ends } = await database.pool.query<{ readonly last_position: bigint }>('select last_position from appender');
  const last = ends[0]?.last_position ?? 0n;
  const dropped: string[] = [];
  for (const { name } of partitions.filter((partition) => partition.name < oldest)) {
    const { rows } = await database.pool.query<{ readonly end: bigint | null }>(`select max(position) as end from ${name}`);
    if (last - (rows[0]?.end ?? 0n) < BigInt(countMin)) break;
    await drop(database, name);
    dropped.push(name);
  }
  return dropped;
}

type Lost = { readonly marketplace_id: string; readonly occurred_at: Instant };

/** The day is over, so nothing is added to it between the look and the drop; the lock on the whole log is held for a moment only. */
async function drop(database: Pick<Database, 'pool' | 'inTransaction'>, name: string): Promise<void> {
  const { rows: lost } = await database.pool.query<Lost>(
    `select marketplace_id, max(occurred_at) as occurred_at from ${name} group by marketplace_id`,
  );
  await database.inTransaction(async (tx) => {
    await tx.query('lock table events in access exclusive mode');
    await tx.query(noteForgotten, [lost.map((row) => row.marketplace_id), lost.map((row) => row.occurred_at)]);
    await tx.query(`drop table ${name}`);
  });
}
