import { toEpochMs, type Context, type Instant } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import type { SagaRunId } from '@holdfast/kernel/ids';
import type { Deps, OpenRun } from './ports.js';
import { resendCommand } from './resend-command.js';

/** An open run with what an operator needs to judge it. */
export type OpenRunDetails = OpenRun & {
  readonly ageMs: number;
  /** The saga has no deadline, or the run did not end after its abort was requested: only its outcome or an operator ends it. */
  readonly isPastPointOfNoReturn: boolean;
};

export type OpenRunsQuery = { readonly olderThanMs: number; readonly limitMax: number; readonly at: Instant };

/** Oldest first. */
export async function openRuns(deps: Deps, { olderThanMs, limitMax, at }: OpenRunsQuery): Promise<readonly OpenRunDetails[]> {
  const runs = await deps.runs.open(olderThanMs, limitMax);
  return runs.map((run) => {
    const ageMs = Math.max(0, toEpochMs(at) - toEpochMs(run.begunAt));
    return { ...run, ageMs, isPastPointOfNoReturn: run.saga !== 'withdraw' || ageMs > deps.settings.unabortedAfterMs };
  });
}

/** Resends the command of a run at once, at an operator's request, and starts its back-off again. NOT_FOUND if it is not active. */
export async function redriveRun(deps: Deps, { id }: { readonly id: SagaRunId }, ctx: Context): Promise<OpenRun> {
  const run = await deps.runs.restartRetries(id);
  if (run === undefined || !(await resendCommand(deps, run, ctx.at))) throw new AppError('NOT_FOUND', { sagaRunId: id });
  const { aggregateId, saga } = run;
  ctx.log.warn({ aggregateId, saga, sagaRunId: id }, 'saga command resent by an operator');
  return run;
}
