import type { SagaRun, SagaRuns } from '@holdfast/messaging/saga-runs';
import type { Deps, OpenRun, SagaOutcome } from '../use-cases/ports.js';

/** The saga runs of this service; each is about an order. */
export function runStore(sagaRuns: SagaRuns, timeoutMs: number): Deps['runs'] {
  return {
    requireAccepting: sagaRuns.requireAccepting,
    expect: (runId, sagas) => {
      const waiting = new AbortController();
      // The outcome was written by this service, so its type is known.
      const outcome = sagaRuns.wait(runId, timeoutMs * sagas, waiting.signal) as Promise<SagaOutcome>;
      outcome.catch(() => undefined); // it may reject before the run has started, and is awaited only afterwards
      return { outcome, cancel: () => waiting.abort() };
    },
    open: async (olderThanMs, limitMax) => (await sagaRuns.stalledRuns(olderThanMs, limitMax)).map(toRun),
    takeDue: async (limitMax) => (await sagaRuns.takeDue(limitMax)).map(toRun),
    takeOverdue: async (limitMax) => (await sagaRuns.takeOverdue(limitMax)).map(toRun),
    restartRetries: async (id) => {
      const run = await sagaRuns.restartRetries(id);
      return run === undefined ? undefined : toRun(run);
    },
  };
}

function toRun({ saga, aggregateId, correlationId, ...run }: SagaRun): OpenRun {
  return {
    ...run,
    saga: saga as OpenRun['saga'],
    orderId: aggregateId as OpenRun['orderId'],
    requestId: correlationId,
  };
}
