import { handleAllDue } from '@holdfast/kernel/async';
import type { SagaRunId } from '@holdfast/kernel/ids';
import type { Instant, Log } from '@holdfast/kernel/context';
import type { ActiveRun } from '../domain/order.js';
import { sagaCommandOf } from './saga-command.js';
import { publishMessages } from './apply-change.js';
import { startOf } from './origin.js';
import type { Deps, OpenRun } from './ports.js';

/**
 * Resends the command of an active run with the same message id. A service that has handled it already publishes its stored reply
 * again.
 */
export function resendCommand(deps: Deps, run: OpenRun, at: Instant): Promise<boolean> {
  const { orderId, marketplaceId, requestId } = run;
  return deps.onOrder({ marketplaceId, orderId }, (tx, locked) => {
    const order = locked?.order;
    const activeRun = order?.activeRun ?? null;
    if (order === undefined || activeRun === null || !isOf(activeRun, run)) return false;
    const command = sagaCommandOf(order);
    if (command === undefined) return false;
    const { actor, saga, runId, startedAt } = activeRun;
    const origin = { actor, at, correlationId: requestId, run: { saga, runId }, step: startOf({ saga, runId }, startedAt) };
    publishMessages(tx, order, { events: [command], auditEntries: [] }, origin);
    return true;
  });
}

/** The run of a sequence is driven by the command of its current saga. */
function isOf({ runId, partOf }: ActiveRun, { id }: OpenRun): boolean {
  return runId === id || partOf?.runId === id;
}

export type ResendOptions = { readonly at: Instant; readonly log: Log; readonly signal: AbortSignal };

const batchRunsMax = 100;

/**
 * Resends the commands of all runs whose retry is due, in batches. A run that cannot end is due less and less often, so it does not
 * delay the others.
 */
export async function resendDueCommands(deps: Deps, options: ResendOptions): Promise<readonly SagaRunId[]> {
  const resent: SagaRunId[] = [];
  await handleAllDue({
    take: deps.runs.takeDue,
    handle: async (run) => resent.push(...(await resendDue(deps, run, options))),
    batchMax: batchRunsMax,
    signal: options.signal,
  });
  return resent;
}

/** A run that fails is retried later, and does not affect the others of its batch. */
async function resendDue(deps: Deps, run: OpenRun, { at, log }: ResendOptions): Promise<readonly SagaRunId[]> {
  const { id, orderId, saga, begunAt, attempts } = run;
  const about = { orderId, saga, sagaRunId: id, begunAt, attempts };
  try {
    if (!(await resendCommand(deps, run, at))) return [];
    log.warn(about, 'stalled saga: command resent');
    return [id];
  } catch (error) {
    log.warn({ ...about, error }, 'stalled saga: its command could not be resent');
    return [];
  }
}
