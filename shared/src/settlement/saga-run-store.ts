import type { SagaRunId } from '../ids/index.js';
import { deleteInBatches, forRows, type Database, type Tx } from '../postgres/index.js';
import type { BegunSagaRun, EndOfRun, Outcome, SagaRun } from './saga-run.js';

const insert = forRows((rows, count) => ({
  name: `begin-saga-runs-${count}`,
  text: `
  insert into saga_runs (id, saga, aggregate_id, marketplace_id, correlation_id)
  values ${rows(['text', 'text', 'text', 'text', 'text'])}`,
}));

export function insertRuns(tx: Tx, runs: readonly BegunSagaRun[]): void {
  if (runs.length === 0) return;
  const values = runs.flatMap(({ id, saga, aggregateId, marketplaceId, correlationId }) => [
    id,
    saga,
    aggregateId,
    marketplaceId,
    correlationId,
  ]);
  tx.defer(insert(runs.length), values);
}

const close = {
  name: 'close-saga-run',
  text: `
  update saga_runs
  set closed_at = now(), outcome = $2
  where id = $1 and closed_at is null
  returning outcome`,
};

/** The outcome as everyone will read it, or undefined where the run is closed already. */
export async function closeRun(tx: Tx, runId: SagaRunId, outcome: Outcome): Promise<Outcome | undefined> {
  const [row] = await tx.query<{ readonly outcome: Outcome }>(close, [runId, JSON.stringify(outcome)]);
  return row?.outcome;
}

/** "Is null" in other words: in its own it leads the server to the index of open runs, which is full of those closed lately. */
const isOpen = `coalesce(closed_at, 'infinity') = 'infinity'`;

const closeAll = forRows((rows, count) => ({
  name: `close-saga-runs-${count}`,
  text: `
  update saga_runs
  set closed_at = now(), outcome = given.outcome
  from (values ${rows(['text', 'jsonb'])}) as given (id, outcome)
  where saga_runs.id = given.id and ${isOpen}
  returning saga_runs.id`,
}));

/** Each has an outcome of its own; `onClosed` hears of those that were not closed already. */
export function closeRunsWithCommit(tx: Tx, ends: readonly EndOfRun[], onClosed: (end: EndOfRun) => void): void {
  if (ends.length === 0) return;
  const values = ends.flatMap(({ runId, outcome }) => [runId, JSON.stringify(outcome)]);
  tx.defer(closeAll(ends.length), values, (rows: readonly { readonly id: SagaRunId }[]) => {
    const closed = new Set(rows.map(({ id }) => id));
    for (const end of ends) if (closed.has(end.runId)) onClosed(end);
  });
}

const answer = {
  name: 'answer-saga-run',
  text: `
  update saga_runs
  set answer = $2
  where id = $1 and closed_at is null and answer is null
  returning answer`,
};

/** The answer as everyone will read it, or undefined where the run is closed or answered already. */
export async function answerRun(tx: Tx, runId: SagaRunId, outcome: Outcome): Promise<Outcome | undefined> {
  const [row] = await tx.query<{ readonly answer: Outcome }>(answer, [runId, JSON.stringify(outcome)]);
  return row?.answer;
}

/** The same with the commit; `onAnswered` hears the answer unless the run was closed or answered already. */
export function answerRunWithCommit(tx: Tx, runId: SagaRunId, outcome: Outcome, onAnswered: (outcome: Outcome) => void): void {
  tx.defer(answer, [runId, JSON.stringify(outcome)], (rows: readonly { readonly answer: Outcome }[]) => {
    for (const row of rows) onAnswered(row.answer);
  });
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
  const { rows } = await pool.query<{ readonly id: string; readonly outcome: Outcome }>(selectOutcome, [runIds]);
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
  const { rows } = await pool.query<SagaRun>(selectOne, [runId]);
  return rows[0];
}

export async function selectStandingStill(
  { pool }: Pick<Database, 'pool'>,
  olderThanMs: number,
  limitMax: number,
): Promise<readonly SagaRun[]> {
  const { rows } = await pool.query<SagaRun>(selectOpen, [olderThanMs / 1_000, limitMax]);
  return rows;
}

const retentionDays = 30;

export function pruneRuns(database: Pick<Database, 'pool'>, signal: AbortSignal): Promise<number> {
  const old = { table: 'saga_runs', where: 'closed_at < now() - make_interval(days => $2)', values: [retentionDays] };
  return deleteInBatches(database, old, signal);
}
