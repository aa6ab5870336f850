import type { SpendingCapView } from '@holdfast/contracts/http';
import type { Log } from '@holdfast/kernel/context';
import { formatUnits } from '@holdfast/kernel/money';
import { defineGauge, withValues, type MetricDeclaration, type Metrics } from '@holdfast/observability';
import { lockKey, type Database, type Tx } from '@holdfast/postgres';
import { IntentPaused } from '../intent.js';

/** Limits what may be spent within an hour, over all replicas. */
export type SpendingCap = {
  /**
   * Counts the amount, right before it is spent. Throws IntentPaused where it would exceed the cap. The same cause is counted once;
   * what is begun and then fails stays counted until the hour is over.
   */
  readonly begin: (cause: string, units: bigint) => Promise<void>;
  /** Describes the cap for an operator. */
  readonly describe: () => Promise<SpendingCapView>;
};

export type SpendingCapOptions = {
  readonly database: Pick<Database, 'inTransaction' | 'pool'>;
  readonly metrics: Metrics;
  readonly log: Log;
  /** The name of the cap in the table and in the metrics, such as `treasury USDC`. */
  readonly name: string;
  /** Units of 10^-7; undefined means no cap. */
  readonly unitsMax: bigint | undefined;
  readonly windowMs?: number;
};

const cap = 'the spending caps of the service';
const spendingPerHour = defineGauge('holdfast_spending_per_hour_tokens', 'Amount spent within the last hour, by cap', { cap });
export const spendingCapReached = defineGauge(
  'holdfast_spending_cap_reached',
  'Whether payments wait because of a spending cap',
  {
    cap,
  },
);

/** The metrics of a service with these caps. */
export function spendingMetrics(caps: readonly string[]): readonly MetricDeclaration[] {
  return [withValues(spendingPerHour, { cap: caps }), withValues(spendingCapReached, { cap: caps })];
}

const hourMs = 3_600_000;
const retryInMs = 10_000;
const unitsPerWhole = 10_000_000;

const deleteOld = {
  name: 'delete-old-spendings',
  text: `
  delete from spendings
  where cap = $1
    and begun_at < statement_timestamp() - make_interval(secs => $2)`,
};

const sumSpendings = {
  name: 'sum-spendings',
  text: `
  select coalesce(sum(units), 0)::bigint as units,
    coalesce(bool_or(cause = $2), false) as "isCounted"
  from spendings
  where cap = $1`,
};

/** Only reads: it must not wait for a payment that is being counted. */
const sumRecent = {
  name: 'sum-recent-spendings',
  text: `
  select coalesce(sum(units), 0)::bigint as units
  from spendings
  where cap = $1
    and begun_at >= statement_timestamp() - make_interval(secs => $2)`,
};

const insertSpending = {
  name: 'insert-spending',
  text: `
  insert into spendings (cap, cause, units, begun_at)
  values ($1, $2, $3, statement_timestamp())`,
};

/** Requires the tables of this package in the schema of the service. */
export function createSpendingCap(options: SpendingCapOptions): SpendingCap {
  const { database, metrics, log, name, unitsMax, windowMs = hourMs } = options;
  if (unitsMax === undefined) {
    const uncapped = { name, max: null, spent: formatUnits(0n) };
    return { begin: () => Promise.resolve(), describe: () => Promise.resolve(uncapped) };
  }
  const spent = metrics.gauge(spendingPerHour);
  const reached = metrics.gauge(spendingCapReached);
  let isReached = false;
  const report = (units: bigint, isRefused: boolean): void => {
    spent.set({ cap: name }, Number(units) / unitsPerWhole);
    reached.set({ cap: name }, isRefused ? 1 : 0);
    if (isRefused && !isReached)
      log.error({ cap: name, units: units.toString(), unitsMax: unitsMax.toString() }, 'spending cap reached; payments wait');
    isReached = isRefused;
  };
  return {
    begin: async (cause, units) => {
      const counted = await database.inTransaction((tx) =>
        count(tx, { cap: name, cause, units, unitsMax, windowSeconds: windowMs / 1_000 }),
      );
      report(counted.units, counted.isRefused);
      if (counted.isRefused) throw new IntentPaused(`the spending cap ${name} is reached`, retryInMs);
    },
    describe: async () => {
      const { rows } = await database.pool.query<{ readonly units: bigint }>(sumRecent, [name, windowMs / 1_000]);
      return { name, max: formatUnits(unitsMax), spent: formatUnits(rows[0]?.units ?? 0n) };
    },
  };
}

type Spending = {
  readonly cap: string;
  readonly cause: string;
  readonly units: bigint;
  readonly unitsMax: bigint;
  readonly windowSeconds: number;
};

async function count(
  tx: Tx,
  { cap, cause, units, unitsMax, windowSeconds }: Spending,
): Promise<{ readonly units: bigint; readonly isRefused: boolean }> {
  // Spendings under one cap are counted one after the other, so that two replicas cannot both take the last part of it.
  await lockKey(tx, `holdfast:spending-cap:${cap}`);
  await tx.query(deleteOld, [cap, windowSeconds]);
  const [sum] = await tx.query<{ readonly units: bigint; readonly isCounted: boolean }>(sumSpendings, [cap, cause]);
  const before = sum?.units ?? 0n;
  if (sum?.isCounted === true) return { units: before, isRefused: false };
  if (before + units > unitsMax) return { units: before, isRefused: true };
  await tx.query(insertSpending, [cap, cause, units]);
  return { units: before + units, isRefused: false };
}
