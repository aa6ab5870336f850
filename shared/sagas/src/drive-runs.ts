import { allSagas, hasDeadline } from '@holdfast/contracts/sagas';
import type { ServiceName } from '@holdfast/contracts/services';
import { handleAllDue } from '@holdfast/kernel/async';
import { toEpochMs, type Context, type Instant, type Log } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import type { SagaRunId } from '@holdfast/kernel/ids';
import type { ActiveRun, Aggregate, AggregateKind, SagaTx } from './aggregate.js';
import { publishAbort, publishAuditEntries, publishCommand } from './apply-change.js';
import type { JudgedRun, RunFilter, Runs, SagaRun } from './saga-run.js';

/** Acts on an aggregate whose row is locked. Returns whether it did anything. */
type Act = <A extends Aggregate, Tx extends SagaTx>(tx: Tx, kind: AggregateKind<A, Tx>, aggregate: A) => boolean;

/** Locks the aggregate of the run and commits what `act` does. False if there is no such aggregate. */
export type OnAggregate = (run: SagaRun, act: Act) => Promise<boolean>;

/** What keeps the open runs of a service going: resending, aborting, listing. */
export type DrivenRuns = {
  readonly service: ServiceName;
  readonly runs: Pick<
    Runs,
    'stalledRuns' | 'find' | 'takeDue' | 'nextDueInMs' | 'takeOverdue' | 'nextOverdueInMs' | 'restartRetries'
  >;
  readonly onAggregate: OnAggregate;
  /** An open run that is older than this did not end after its abort was requested: its participant has started the step. */
  readonly unabortedAfterMs: number;
};

export type DriveOptions = { readonly at: Instant; readonly log: Log; readonly signal: AbortSignal };

const batchRunsMax = 100;

/** Resends the commands of all runs whose retry is due, in batches. A run that cannot end is due less and less often. */
export async function resendDueCommands(driven: DrivenRuns, { at, log, signal }: DriveOptions): Promise<void> {
  const handle = (run: SagaRun) =>
    logged(log, run, {
      act: () => resendCommand(driven, run, at),
      done: 'stalled saga: command resent',
      failed: 'stalled saga: its command could not be resent',
    });
  await handleAllDue({ take: driven.runs.takeDue, handle, batchMax: batchRunsMax, signal });
}

/** Requests the abort of every run that is past its deadline, in batches. */
export async function abortOverdueRuns(driven: DrivenRuns, { at, log, signal }: DriveOptions): Promise<void> {
  const handle = (run: SagaRun) =>
    logged(log, run, {
      act: () => requestAbort(driven, run, at),
      done: 'saga past its deadline: abort requested',
      failed: 'saga past its deadline: its abort could not be requested',
    });
  await handleAllDue({ take: driven.runs.takeOverdue, handle, batchMax: batchRunsMax, signal });
}

type Logged = { readonly act: () => Promise<boolean>; readonly done: string; readonly failed: string };

/** A run that fails is handled again when it is due next, and does not affect the others of its batch. */
async function logged(log: Log, run: SagaRun, { act, done, failed }: Logged): Promise<void> {
  const { id: sagaRunId, aggregateId, saga, begunAt, attempts } = run;
  const about = { aggregateId, saga, sagaRunId, begunAt, attempts };
  try {
    if (await act()) log.warn(about, done);
  } catch (error) {
    log.warn({ ...about, error }, failed);
  }
}

/**
 * Resends the command of an active run with the same message id. A service that has handled it already publishes its stored reply
 * again.
 */
function resendCommand({ onAggregate }: DrivenRuns, run: SagaRun, at: Instant, redrive?: Redrive): Promise<boolean> {
  return onAggregate(run, (tx, kind, aggregate) => {
    const { activeRun } = aggregate;
    if (activeRun === null || !isOf(activeRun, run)) return false;
    const { actor } = activeRun;
    const isSent = publishCommand(tx, kind, aggregate, { actor, at, correlationId: run.correlationId, isRepeated: true });
    if (isSent && redrive !== undefined) publishRedriveAudit(tx, kind, aggregate, { ...redrive, run });
    return isSent;
  });
}

/** The run of a sequence is driven by the command of its current saga. */
function isOf({ runId, partOf }: ActiveRun, { id }: SagaRun): boolean {
  return runId === id || partOf?.runId === id;
}

function requestAbort({ service, onAggregate }: DrivenRuns, run: SagaRun, at: Instant): Promise<boolean> {
  const origin = { actor: { type: 'system', id: service }, at, correlationId: run.correlationId, isRepeated: true };
  return onAggregate(
    run,
    (tx, kind, aggregate) => aggregate.activeRun?.runId === run.id && publishAbort(tx, kind, aggregate, origin),
  );
}

/** A run with what an operator needs to judge it. */
export type OpenRun = JudgedRun & {
  readonly ageMs: number;
  /** The saga has no deadline, or the run did not end after its abort was requested: only its outcome or an operator ends it. */
  readonly isPastPointOfNoReturn: boolean;
};

export type OpenRunsQuery = {
  readonly olderThanMs: number;
  readonly limitMax: number;
  readonly filter?: RunFilter | undefined;
  readonly at: Instant;
};

const withoutDeadline: ReadonlySet<string> = new Set(allSagas.filter((saga) => !hasDeadline(saga)).map(({ name }) => name));

/** Oldest first. */
export async function openRuns(
  driven: Pick<DrivenRuns, 'runs' | 'unabortedAfterMs'>,
  { olderThanMs, limitMax, filter, at }: OpenRunsQuery,
): Promise<readonly OpenRun[]> {
  const runs = await driven.runs.stalledRuns(olderThanMs, limitMax, filter);
  return runs.map((run) => toOpenRun(driven, run, at));
}

/** Also a run that has ended. NOT_FOUND if there is none. */
export async function findRun(
  driven: Pick<DrivenRuns, 'runs' | 'unabortedAfterMs'>,
  { id }: { readonly id: SagaRunId },
  { at }: Pick<Context, 'at'>,
): Promise<OpenRun> {
  const run = await driven.runs.find(id);
  if (run === undefined) throw new AppError('NOT_FOUND', { sagaRunId: id });
  return toOpenRun(driven, run, at);
}

function toOpenRun({ unabortedAfterMs }: Pick<DrivenRuns, 'unabortedAfterMs'>, run: JudgedRun, at: Instant): OpenRun {
  const ageMs = Math.max(0, toEpochMs(run.endedAt ?? at) - toEpochMs(run.begunAt));
  return { ...run, ageMs, isPastPointOfNoReturn: withoutDeadline.has(run.saga) || ageMs > unabortedAfterMs };
}

export type RedriveRun = {
  readonly id: SagaRunId;
  /** The person who decides. Without one the entry of the audit log names the caller. */
  readonly operator?: { readonly by: string; readonly reason: string } | undefined;
};

/**
 * Resends the command of a run at once, at an operator's request, and starts its back-off again. NOT_FOUND if it is not active. The
 * audit entry is in the commit that resends the command.
 */
export async function redriveRun(driven: DrivenRuns, { id, operator }: RedriveRun, ctx: Context): Promise<SagaRun> {
  const run = await driven.runs.restartRetries(id);
  const isResent = run !== undefined && (await resendCommand(driven, run, ctx.at, { operator, ctx }));
  if (!isResent) throw new AppError('NOT_FOUND', { sagaRunId: id });
  const { aggregateId, saga } = run;
  ctx.log.warn({ aggregateId, saga, sagaRunId: id }, 'saga command resent by an operator');
  return run;
}

type Redrive = Pick<RedriveRun, 'operator'> & { readonly ctx: Context };

function publishRedriveAudit<A extends Aggregate, Tx extends SagaTx>(
  tx: Tx,
  kind: AggregateKind<A, Tx>,
  aggregate: A,
  { run, operator, ctx }: Redrive & { readonly run: SagaRun },
): void {
  const { caller, at, requestId: correlationId } = ctx;
  const actor = operator === undefined ? { type: caller.type, id: caller.id } : { type: 'operator', id: operator.by };
  const state = { status: aggregate.status, saga: run.saga, sagaRunId: run.id };
  const entry = { action: 'SAGA_REDRIVEN', reason: operator?.reason ?? null, before: state, after: state };
  publishAuditEntries(tx, kind, aggregate, { auditEntries: [entry], origin: { actor, at, correlationId } });
}
