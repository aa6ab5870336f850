import type { SagaRunId } from '@holdfast/kernel/ids';
import type { Instant, Log } from '@holdfast/kernel/context';
import { sagaCommandOf } from './saga-command.js';
import { publishEvents } from './apply-change.js';
import type { Deps, OpenRun } from './ports.js';

/** Resends the command of an active run with the same message id. A service that has handled it already ignores it. */
export function resendCommand(deps: Deps, run: OpenRun, at: Instant): Promise<boolean> {
  const { id: runId, saga, orderId, marketplaceId, requestId } = run;
  return deps.onOrder({ marketplaceId, orderId }, (tx, locked) => {
    const order = locked?.order;
    if (order?.activeRun?.runId !== runId) return false;
    const command = sagaCommandOf(order);
    if (command === undefined) return false;
    publishEvents(tx, order, [command], { actor: order.activeRun.actor, at, correlationId: requestId, run: { saga, runId } });
    return true;
  });
}

export type ResendOptions = {
  readonly olderThanMs: number;
  readonly at: Instant;
  readonly log: Log;
  readonly signal: AbortSignal;
};

const runsMax = 100;

/** Resends the commands of stalled runs, oldest first. */
export async function resendStalledCommands(
  deps: Deps,
  { olderThanMs, at, log, signal }: ResendOptions,
): Promise<readonly SagaRunId[]> {
  const resent: SagaRunId[] = [];
  for (const run of await deps.runs.open(olderThanMs, runsMax)) {
    if (signal.aborted) break;
    if (!(await resendCommand(deps, run, at))) continue;
    resent.push(run.id);
    log.warn({ orderId: run.orderId, saga: run.saga, sagaRunId: run.id, begunAt: run.begunAt }, 'stalled saga: command resent');
  }
  return resent;
}
