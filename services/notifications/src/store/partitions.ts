import { toInstant, type Clock } from '@holdfast/kernel/context';
import type { Database } from '@holdfast/postgres';
import { appender } from './schema.js';

const dayMs = 86_400_000;
/** Partitions are created ahead of time, so that appends do not wait for them. */
const daysAhead = 2;

/** 2026-01-31 */
function dayOf(epochMs: number): string {
  return toInstant(epochMs).slice(0, 10);
}

/** Creates the missing partitions of today and the next days, through a function of the schema's owner. */
export async function createPartitions({ lists }: Pick<Database, 'lists'>, { epochMs }: Clock): Promise<void> {
  const nowMs = epochMs();
  for (let ahead = 0; ahead <= daysAhead; ahead += 1)
    await lists.query('select create_event_partition($1)', [dayOf(nowMs + ahead * dayMs)]);
}

/** Returns a function that creates partitions at its first call of each day. */
export function ensurePartitions(database: Pick<Database, 'lists'>, clock: Clock): () => Promise<void> {
  let seenDay = '';
  return async () => {
    const day = dayOf(clock.epochMs());
    if (day === seenDay) return;
    await createPartitions(database, clock);
    seenDay = day;
  };
}

export type Retention = { readonly days: number; readonly countMin: number };

/** The day of a partition is the end of its name. */
const selectDays = `
  select to_char(to_date(right(child.relname, 8), 'YYYYMMDD'), 'YYYY-MM-DD') as day
  from pg_inherits
  join pg_class child on child.oid = inhrelid
  where inhparent = 'events'::regclass
  order by day`;

const selectLastPosition = `
  select max(position) as position
  from events
  where appended_at >= $1::date
    and appended_at < $1::date + 1`;

/**
 * Drops the days that are older than `days` and have at least `countMin` newer events. Positions have no gaps, so the number of
 * newer events is a subtraction. Returns the dropped days.
 */
export async function dropOldPartitions(
  { lists }: Pick<Database, 'lists'>,
  { epochMs }: Clock,
  { days, countMin }: Retention,
): Promise<readonly string[]> {
  const oldest = dayOf(epochMs() - days * dayMs);
  const { lastPosition } = await lists.manager.findOneByOrFail(appender.entity, { isOnly: true });
  const { rows: partitions } = await lists.query<{ readonly day: string }>(selectDays);
  const dropped: string[] = [];
  for (const { day } of partitions.filter((partition) => partition.day < oldest)) {
    const { rows } = await lists.query<{ readonly position: bigint | null }>(selectLastPosition, [day]);
    if (lastPosition - (rows[0]?.position ?? 0n) < BigInt(countMin)) break;
    await lists.query('select drop_event_partition($1)', [day]);
    dropped.push(day);
  }
  return dropped;
}
