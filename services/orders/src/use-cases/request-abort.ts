import { handleAllDue } from '@holdfast/kernel/async';
import type { Instant, Log } from '@holdfast/kernel/context';
import type { Actor } from '../domain/order.js';
import { publishMessages } from './apply-change.js';
import { abortCommandOf } from './saga-command.js';
import type { Deps, OpenRun } from './ports.js';

const actor: Actor = { type: 'system', id: 'orders' };
const reason = 'the saga run is past its deadline';

/**
 * Requests the abort of a run. The order stays as it is, because only the service of the point of no return knows whether the run
 * can still be aborted. Its reply ends the run. A repeated request is the same message.
 */
function requestAbort(deps: Deps, run: OpenRun, at: Instant): Promise<boolean> {
  const { id: runId, orderId, marketplaceId, requestId } = run;
  return deps.onOrder({ marketplaceId, orderId }, (tx, locked) => {
    const order = locked?.order;
    if (order?.activeRun?.runId !== runId) return false;
    const command = abortCommandOf(order);
    if (command === undefined) return false;
    const { saga, startedAt } = order.activeRun;
    const step = { cause: runId, name: 'abort', at: startedAt };
    const state = { status: order.status, saga };
    const entry = { action: 'SAGA_ABORT_REQUESTED', reason, before: state, after: state };
    const origin = { actor, at, correlationId: requestId, run: { saga, runId }, step };
    publishMessages(tx, order, { events: [command], auditEntries: [entry] }, origin);
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
  const { id: sagaRunId, orderId, saga, begunAt } = run;
  const about = { orderId, saga, sagaRunId, begunAt };
  try {
    if (await requestAbort(deps, run, at)) log.warn(about, 'saga past its deadline: abort requested');
  } catch (error) {
    log.warn({ ...about, error }, 'saga past its deadline: its abort could not be requested');
  }
}
