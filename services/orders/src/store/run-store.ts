import type { SagaRun, SagaRuns } from '@holdfast/messaging/saga-runs';
import type { Deps, OpenRun, SagaOutcome } from '../use-cases/ports.js';

/** The saga runs of this service; each is about an order. */
export function runStore(sagaRuns: SagaRuns, timeoutMs: number): Deps['runs'] {
  return {
    expect: (runId) => {
      const waiting = new AbortController();
      // The outcome was written by this service, so its type is known.
      const outcome = sagaRuns.wait(runId, timeoutMs, waiting.signal) as Promise<SagaOutcome>;
      outcome.catch(() => undefined); // it may reject before the run has started, and is awaited only afterwards
      return { outcome, cancel: () => waiting.abort() };
    },
    open: async (olderThanMs, limitMax) => (await sagaRuns.stalledRuns(olderThanMs, limitMax)).map(toRun),
    find: async (id) => {
      const run = await sagaRuns.findOpen(id);
      return run === undefined ? undefined : toRun(run);
    },
  };
}

function toRun({ id, saga, aggregateId, marketplaceId, correlationId, begunAt }: SagaRun): OpenRun {
  return {
    id,
    saga: saga as OpenRun['saga'],
    orderId: aggregateId as OpenRun['orderId'],
    marketplaceId,
    requestId: correlationId,
    begunAt,
  };
}
