import type { SagaRunId } from '@holdfast/shared/ids';
import type { Instant, Log } from '@holdfast/shared/context';
import { askOf } from './asks.js';
import { tell } from './change.js';
import type { Deps, OpenRun } from './ports.js';

/** Asks again for what a run waits for: the same message, so that whoever has done it already does nothing. */
export function reaskRun(deps: Deps, run: OpenRun, at: Instant): Promise<boolean> {
  const { id: runId, saga, orderId, marketplaceId, requestId } = run;
  return deps.onOrder({ marketplaceId, orderId }, (tx, held) => {
    const order = held?.order;
    if (order?.operation?.runId !== runId) return false;
    const ask = askOf(order);
    if (ask === undefined) return false;
    tell(tx, order, [ask], { actor: order.operation.actor, at, correlationId: requestId, run: { saga, runId } });
    return true;
  });
}

export type Reasking = {
  readonly olderThanMs: number;
  readonly at: Instant;
  readonly log: Log;
  readonly signal: AbortSignal;
};

const runsMax = 100;

/** The runs that stand still are asked again, oldest first. */
export async function reaskStandingStill(deps: Deps, { olderThanMs, at, log, signal }: Reasking): Promise<readonly SagaRunId[]> {
  const asked: SagaRunId[] = [];
  for (const run of await deps.runs.open(olderThanMs, runsMax)) {
    if (signal.aborted) break;
    if (!(await reaskRun(deps, run, at))) continue;
    asked.push(run.id);
    log.warn({ orderId: run.orderId, saga: run.saga, sagaRunId: run.id, begunAt: run.begunAt }, 'saga stands still, asked again');
  }
  return asked;
}
