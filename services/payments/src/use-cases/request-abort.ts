import { handleAllDue } from '@holdfast/kernel/async';
import { stepMessageIds, withdrawalAbortRequested, withdrawalHoldRequested } from '@holdfast/contracts/messages';
import type { Instant, Log } from '@holdfast/kernel/context';
import { isId } from '@holdfast/kernel/ids';
import { fundsOf, withdrawalKind } from './aggregate-kinds.js';
import { event, publishAbort } from './apply-change.js';
import { serviceActor, startOf } from './origin.js';
import type { Deps, OpenRun } from './ports.js';

const reason = 'the saga run is past its deadline';

/**
 * Requests the abort of a run that reserves the amount of a withdrawal, the only saga of this service with a deadline. The
 * withdrawal stays as it is, because only the ledger knows whether the amount is reserved; its reply ends the run.
 */
function requestAbort(deps: Deps, { id: runId, aggregateId, correlationId }: OpenRun, at: Instant): Promise<boolean> {
  return deps.inTransaction(async (tx) => {
    const withdrawal = isId(aggregateId, 'wd') ? await tx.withdrawals.lock(aggregateId) : undefined;
    const activeRun = withdrawal?.activeRun;
    if (withdrawal === undefined || activeRun?.saga !== 'withdraw' || activeRun.runId !== runId) return false;
    const commandId = stepMessageIds(startOf(activeRun))(withdrawalHoldRequested.type);
    const abort = event(withdrawalAbortRequested, { ...fundsOf(withdrawal), commandId });
    const state = { status: withdrawal.status, saga: activeRun.saga };
    const entry = { action: 'SAGA_ABORT_REQUESTED', reason, before: state, after: state };
    publishAbort(
      tx,
      withdrawalKind,
      { ...withdrawal, activeRun },
      { abort, entry, origin: { actor: serviceActor, at, correlationId } },
    );
    return true;
  });
}

export type AbortOptions = { readonly at: Instant; readonly log: Log; readonly signal: AbortSignal };

const batchRunsMax = 100;

/** Requests the abort of every run that is past its deadline, in batches. */
export async function abortOverdueRuns(deps: Deps, options: AbortOptions): Promise<void> {
  await handleAllDue({
    take: deps.runs.takeOverdue,
    handle: (run) => abortOverdue(deps, run, options),
    batchMax: batchRunsMax,
    signal: options.signal,
  });
}

/** A run that fails is retried at its next deadline, and does not affect the others of its batch. */
async function abortOverdue(deps: Deps, run: OpenRun, { at, log }: AbortOptions): Promise<void> {
  const { id: sagaRunId, aggregateId, saga, begunAt } = run;
  const about = { aggregateId, saga, sagaRunId, begunAt };
  try {
    if (await requestAbort(deps, run, at)) log.warn(about, 'saga past its deadline: abort requested');
  } catch (error) {
    log.warn({ ...about, error }, 'saga past its deadline: its abort could not be requested');
  }
}
