import type { SagaRunId } from '../ids/index.js';
import { deleteInBatches, forRows, type Database, type Tx } from '../postgres/index.js';
import type { BegunSagaRun, EndOfRun, Outcome, SagaRun } from './saga-run.js';

const insert = forRows((rows, count) => ({
  name: `begin-saga-runs-${count}`,
  text: `
  insert into saga_runs (id, saga, aggregate_id, marketplace_id, correlation_id, reply_queue)
  values ${rows(['text', 'text', 'text', 'text', 'text', 'text'])}`,
}));

/** The reply queue is that of this process, where it has one. */
export function insertRuns(tx: Tx, runs: readonly BegunSagaRun[], replyQueue: string | undefined): void {
  if (runs.length === 0) return;
  const values = runs.flatMap(({ id, saga, aggregateId, marketplaceId, correlationId }) => [
    id,
    saga,
    aggregateId,
    marketplaceId,
    correlationId,
    replyQueue ?? null,
  ]);
  tx.defer(insert(runs.length), values);
}

/** The outcome of a run as every reader will see it, and the reply queue of the process that waits for it. */
export type SettledRun = { readonly id: SagaRunId; readonly outcome: Outcome; readonly replyQueue: string | null };

const close = forRows((rows, count) => ({
  name: `close-saga-runs-${count}`,
  text: `
  update saga_runs
  set closed_at = now(), outcome = given.outcome
  from (values ${rows(['text', 'jsonb'])}) as given (id, outcome)
  where saga_runs.id = given.id and saga_runs.closed_at is null
  returning saga_runs.id, saga_runs.outcome, saga_runs.reply_queue as "replyQueue"`,
}));

/** Undefined where the run is closed already. */
export async function closeRun(tx: Tx, { runId, outcome }: EndOfRun): Promise<SettledRun | undefined> {
  const [run] = await tx.query<SettledRun>(close(1), [runId, JSON.stringify(outcome)]);
  return run;
}

/** Closes the runs with the commit; `onClosed` is called with each that was not closed already. */
export function closeRunsWithCommit(tx: Tx, ends: readonly EndOfRun[], onClosed: (run: SettledRun) => void): void {
  if (ends.length === 0) return;
  const values = ends.flatMap(({ runId, outcome }) => [runId, JSON.stringify(outcome)]);
  tx.defer(close(ends.length), values, (runs: readonly SettledRun[]) => runs.forEach(onClosed));
}

const answer = {
  name: 'answer-saga-run',
  text: `
  update saga_runs
  set answer = $2
  where id = $1 and closed_at is null and answer is null
  returning id, answer as outcome, reply_queue as "replyQueue"`,
};

/** Undefined where the run is closed or answered already. */
export async function answerRun(tx: Tx, { runId, outcome }: EndOfRun): Promise<SettledRun | undefined> {
  const [run] = await tx.query<SettledRun>(answer, [runId, JSON.stringify(outcome)]);
  return run;
}

/** The same with the commit; `onAnswered` is called unless the run was closed or answered already. */
export function answerRunWithCommit(tx: Tx, { runId, outcome }: EndOfRun, onAnswered: (run: SettledRun) => void): void {
  tx.defer(answer, [runId, JSON.stringify(outcome)], (runs: readonly SettledRun[]) => runs.forEach(onAnswered));
}

const selectOutcome = {
  name: 'find-saga-outcomes',
  text: `
  select id, coalesce(answer, outcome) as outcome
  from saga_runs
  where id = any($1) and (closed_at is not null or answer is not null)`,
};

export async function selectOutcomes(
  { pool }: Pick<Database, 'pool'>,
  runIds: readonly string[],
): Promise<ReadonlyMap<string, Outcome>> {
  const { rows } = await pool.query<{ readonly id: string; readonly outcome: Outcome }>({ ...selectOutcome, values: [runIds] });
  return new Map(rows.map(({ id, outcome }) => [id, outcome]));
}

const runColumns = `
    id,
    saga,
    aggregate_id as "aggregateId",
    marketplace_id as "marketplaceId",
    correlation_id as "correlationId",
    begun_at as "begunAt"`;

const selectOpen = `
  select ${runColumns}
  from saga_runs
  where closed_at is null and begun_at < now() - make_interval(secs => $1)
  order by begun_at
  limit $2`;

const selectOne = `
  select ${runColumns}
  from saga_runs
  where id = $1 and closed_at is null`;

export async function selectOpenRun({ pool }: Pick<Database, 'pool'>, runId: SagaRunId): Promise<SagaRun | undefined> {
  const { rows } = await pool.query<SagaRun>({ text: selectOne, values: [runId] });
  return rows[0];
}

export async function selectStandingStill(
  { pool }: Pick<Database, 'pool'>,
  olderThanMs: number,
  limitMax: number,
): Promise<readonly SagaRun[]> {
  const { rows } = await pool.query<SagaRun>({ text: selectOpen, values: [olderThanMs / 1_000, limitMax] });
  return rows;
}

const retentionDays = 30;

export function pruneRuns(database: Pick<Database, 'pool'>, signal: AbortSignal): Promise<number> {
  const old = { table: 'saga_runs', where: 'closed_at < now() - make_interval(days => $2)', values: [retentionDays] };
  return deleteInBatches(database, old, signal);
}
