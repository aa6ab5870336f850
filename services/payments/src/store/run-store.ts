import type { SagaRun, SagaRuns } from '@holdfast/messaging/saga-runs';
import type { Deps, OpenRun } from '../use-cases/ports.js';

/** The saga runs of this service. */
export function runStore(sagaRuns: SagaRuns, timeoutMs: number): Deps['runs'] {
  return {
    wait: (runId) => sagaRuns.wait(runId, timeoutMs),
    requireAccepting: sagaRuns.requireAccepting,
    open: async (olderThanMs, limitMax) => (await sagaRuns.stalledRuns(olderThanMs, limitMax)).map(toRun),
    takeDue: async (limitMax) => (await sagaRuns.takeDue(limitMax)).map(toRun),
    takeOverdue: async (limitMax) => (await sagaRuns.takeOverdue(limitMax)).map(toRun),
    restartRetries: async (id) => {
      const run = await sagaRuns.restartRetries(id);
      return run === undefined ? undefined : toRun(run);
    },
  };
}

function toRun({ saga, ...run }: SagaRun): OpenRun {
  return { ...run, saga: saga as OpenRun['saga'] };
}
