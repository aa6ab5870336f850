import type { SagaRunId } from '@holdfast/kernel/ids';
import { columnsOf, deleteInBatches, selectList, unnestRows, updateMany, type Database, type Tx } from '@holdfast/postgres';
import { backoffInterval, claimDue, nextDue } from '@holdfast/work';
import type {
  JudgedRun,
  NewSagaRun,
  OpenRuns,
  RunDeadlines,
  RunFilter,
  RunRetries,
  SagaOutcome,
  SagaRun,
  SagaRunOutcome,
} from '../saga-run.js';

type RunRow = SagaRun & {
  readonly replyQueue: string | null;
  readonly outcome: SagaOutcome | null;
};

const runColumns = columnsOf<RunRow>()({
  id: { column: 'id', type: 'text', isPrimary: true },
  saga: { column: 'saga', type: 'text' },
  aggregateId: { column: 'aggregate_id', type: 'text' },
  marketplaceId: { column: 'marketplace_id', type: 'text' },
  correlationId: { column: 'correlation_id', type: 'text' },
  replyQueue: { column: 'reply_queue', type: 'text' },
  begunAt: { column: 'begun_at', type: 'timestamptz' },
  attempts: { column: 'attempts', type: 'integer' },
  nextRetryAt: { column: 'next_retry_at', type: 'timestamptz' },
  retryStoppedReason: { column: 'retry_stopped_reason', type: 'text' },
  outcome: { column: 'outcome', type: 'json' },
});
const sagaRuns = { table: 'saga_runs', columns: runColumns } as const;

const given = unnestRows(runColumns, ['id', 'saga', 'aggregateId', 'marketplaceId', 'correlationId', 'replyQueue']);

const insert = {
  name: 'insert-saga-runs',
  text: `
  insert into saga_runs (${given.columns}, next_retry_at, deadline_at)
  select ${given.columns}, now() + make_interval(secs => $${given.lastParameter + 1}),
    case when saga = any($${given.lastParameter + 2}) then now() + make_interval(secs => $${given.lastParameter + 3}) end
  from ${given.from}`,
};

export type NewRuns = {
  readonly runs: readonly NewSagaRun[];
  /** The queue of this process, if it has one. */
  readonly replyQueue: string | undefined;
  readonly retries: RunRetries;
  readonly deadlines: RunDeadlines;
};

export function insertRuns(tx: Tx, { runs, replyQueue, retries, deadlines }: NewRuns): void {
  if (runs.length === 0) return;
  const rows = runs.map((run) => ({ ...run, replyQueue: replyQueue ?? null }));
  tx.defer(insert, [...given.valuesOf(rows), retries.firstAfterMs / 1_000, deadlines.sagas, deadlines.afterMs / 1_000]);
}

/** A run with its outcome and the reply queue of the process that waits for it. */
export type CompletedRun = { readonly id: SagaRunId; readonly outcome: SagaOutcome; readonly replyQueue: string | null };

/** A run that was closed just now, with what its end is counted by. */
export type ClosedRun = CompletedRun & {
  readonly saga: string;
  readonly durationSeconds: number;
  readonly isRetryStopped: boolean;
  /** Undefined for a saga without a deadline. The deadline moves when an abort is requested. */
  readonly secondsToDeadline: number | null;
};

const close = updateMany({
  ...sagaRuns,
  name: 'close-saga-runs',
  key: ['id'],
  set: ['outcome'],
  also: 'closed_at = now()',
  where: 'saga_runs.closed_at is null',
  suffix: `returning saga_runs.id, saga_runs.outcome, saga_runs.reply_queue as "replyQueue", saga_runs.saga,
    extract(epoch from clock_timestamp() - saga_runs.begun_at)::float8 as "durationSeconds",
    saga_runs.retry_stopped_reason is not null as "isRetryStopped",
    extract(epoch from saga_runs.deadline_at - saga_runs.begun_at)::float8 as "secondsToDeadline"`,
});

/** Closes the runs together with the commit. `onClosed` is called with each run that was open. */
export function closeRunsWithCommit(tx: Tx, ends: readonly SagaRunOutcome[], onClosed: (run: ClosedRun) => void): void {
  if (ends.length === 0) return;
  const closing = close(ends.map(({ runId, outcome }) => ({ id: runId, outcome })));
  tx.defer(closing, undefined, (runs: readonly ClosedRun[]) => runs.forEach(onClosed));
}

const storeEarlyResponse = {
  name: 'store-early-saga-response',
  text: `
  update saga_runs
  set early_response = $2
  where id = $1 and closed_at is null and early_response is null
  returning id, early_response as outcome, reply_queue as "replyQueue"`,
};

/** Together with the commit. `onStored` is called unless the run is closed or has an early response already. */
export function respondEarlyWithCommit(tx: Tx, { runId, outcome }: SagaRunOutcome, onStored: (run: CompletedRun) => void): void {
  tx.defer(storeEarlyResponse, [runId, JSON.stringify(outcome)], (runs: readonly CompletedRun[]) => runs.forEach(onStored));
}

const selectOutcomesOfRuns = {
  name: 'select-saga-outcomes',
  text: `
  select id, coalesce(early_response, outcome) as outcome
  from saga_runs
  where id = any($1) and (closed_at is not null or early_response is not null)`,
};

export async function selectOutcomes(
  { pool }: Pick<Database, 'pool'>,
  runIds: readonly string[],
): Promise<ReadonlyMap<string, SagaOutcome>> {
  const { rows } = await pool.query<{ readonly id: string; readonly outcome: SagaOutcome }>({
    ...selectOutcomesOfRuns,
    values: [runIds],
  });
  return new Map(rows.map(({ id, outcome }) => [id, outcome]));
}

const { replyQueue: _replyQueue, outcome: _outcome, ...openRunColumns } = runColumns;
const selected = selectList<SagaRun>(openRunColumns, 'saga_runs');

/** $1 is the time after which a run with a deadline is past it; the column moves when an abort is requested. */
const judged = `${selected},
    closed_at as "endedAt",
    case
      when closed_at is not null then upper(outcome ->> 'status')
      when retry_stopped_reason is not null then 'CONTRADICTED'
      when deadline_at is not null and begun_at < now() - make_interval(secs => $1) then 'OVERDUE'
      when attempts > 0 then 'RETRYING'
      else 'RUNNING'
    end as state`;

const selectOpen = `
  with open_runs as (
    select ${judged}
    from saga_runs
    where closed_at is null
      and begun_at < now() - make_interval(secs => $2)
      and ($4::text is null or saga = $4)
      and ($5::text is null or aggregate_id = $5)
      and ($6::timestamptz is null or (begun_at, id) > ($6, $7))
  )
  select *
  from open_runs
  where $8::text is null or state = $8
  order by "begunAt", id
  limit $3`;

const selectOne = `
  select ${judged}
  from saga_runs
  where id = $2`;

const countOpen = `
  select saga,
    count(*)::integer as count,
    extract(epoch from now() - min(begun_at))::float8 as "oldestSeconds"
  from saga_runs
  where closed_at is null
  group by saga`;

export async function countOpenRuns({ lists }: Pick<Database, 'lists'>): Promise<readonly OpenRuns[]> {
  return (await lists.query<OpenRuns>(countOpen)).rows;
}

export type StalledRunsQuery = {
  readonly olderThanMs: number;
  readonly limitMax: number;
  readonly filter: RunFilter | undefined;
  readonly deadlines: RunDeadlines;
};

export async function selectStalledRuns(
  { lists }: Pick<Database, 'lists'>,
  { olderThanMs, limitMax, filter = {}, deadlines }: StalledRunsQuery,
): Promise<readonly JudgedRun[]> {
  const { saga, aggregateId, after, state } = filter;
  const filters = [saga, aggregateId, after?.begunAt, after?.id, state].map((value) => value ?? null);
  const values = [deadlines.afterMs / 1_000, olderThanMs / 1_000, limitMax, ...filters];
  return (await lists.query<JudgedRun>({ text: selectOpen, values })).rows;
}

export async function selectRun(
  { lists }: Pick<Database, 'lists'>,
  runId: SagaRunId,
  { afterMs }: RunDeadlines,
): Promise<JudgedRun | undefined> {
  return (await lists.query<JudgedRun>({ text: selectOne, values: [afterMs / 1_000, runId] })).rows[0];
}

// The retry is moved before the command is resent, so that two replicas never resend the same command. If this process dies in
// between, the command is resent at the next retry.
const takeDue = claimDue({
  name: 'take-due-saga-runs',
  table: 'saga_runs',
  where: 'closed_at is null and next_retry_at <= now()',
  orderBy: 'next_retry_at',
  limit: '$1',
  set: `attempts = attempts + 1, next_retry_at = now() + ${backoffInterval({ attempts: 'attempts + 1', first: '$2', max: '$3' })}`,
  returning: selected,
});

export const firstRetry = nextDue({
  name: 'next-saga-retry',
  table: 'saga_runs',
  where: 'closed_at is null and next_retry_at is not null',
  dueAt: 'next_retry_at',
});

/** Takes the runs whose retry is due, longest due first, and sets their next retry. */
export async function takeDueRuns(
  { lists }: Pick<Database, 'lists'>,
  { firstAfterMs, afterMsMax }: RunRetries,
  limitMax: number,
): Promise<readonly SagaRun[]> {
  const values = [limitMax, firstAfterMs / 1_000, afterMsMax / 1_000];
  const { rows } = await lists.query<SagaRun>({ ...takeDue, values });
  return rows;
}

// The deadline is moved before the abort is requested. If this process dies in between, the abort is requested at the next one.
const takeOverdue = claimDue({
  name: 'take-overdue-saga-runs',
  table: 'saga_runs',
  where: 'closed_at is null and deadline_at <= now()',
  orderBy: 'deadline_at',
  limit: '$1',
  set: 'deadline_at = now() + make_interval(secs => $2)',
  returning: selected,
});

export const firstDeadline = nextDue({
  name: 'next-saga-deadline',
  table: 'saga_runs',
  where: 'closed_at is null and deadline_at is not null',
  dueAt: 'deadline_at',
});

/** Takes the runs that are past their deadline, and sets the next one. */
export async function takeOverdueRuns(
  { lists }: Pick<Database, 'lists'>,
  { afterMs }: RunDeadlines,
  limitMax: number,
): Promise<readonly SagaRun[]> {
  const { rows } = await lists.query<SagaRun>({ ...takeOverdue, values: [limitMax, afterMs / 1_000] });
  return rows;
}

const restartRetries = `
  update saga_runs
  set attempts = 0,
    next_retry_at = now() + make_interval(secs => $2),
    retry_stopped_reason = null
  where id = $1
    and closed_at is null
  returning ${selected}`;

/** Starts the back-off again, also for a run whose retries were stopped. Undefined if the run is not open. */
export async function restartRunRetries(
  { pool }: Pick<Database, 'pool'>,
  runId: SagaRunId,
  { firstAfterMs }: RunRetries,
): Promise<SagaRun | undefined> {
  const { rows } = await pool.query<SagaRun>({ text: restartRetries, values: [runId, firstAfterMs / 1_000] });
  return rows[0];
}

const stopRetries = {
  name: 'stop-saga-retries',
  text: `
  update saga_runs
  set next_retry_at = null,
    retry_stopped_reason = $2
  where id = $1
    and closed_at is null`,
};

export function stopRetriesWithCommit(tx: Tx, runId: SagaRunId, reason: string): void {
  tx.defer(stopRetries, [runId, reason]);
}

const retentionDays = 30;

export function pruneRuns(database: Pick<Database, 'lists'>, signal: AbortSignal): Promise<number> {
  const old = { table: 'saga_runs', where: 'closed_at < now() - make_interval(days => $2)', values: [retentionDays] };
  return deleteInBatches(database, old, signal);
}
