import type { SagaRun, Settlement } from '@holdfast/shared/settlement';
import type { Deps, OpenRun, Outcome } from '../use-cases/ports.js';

/** The saga runs of this service; each is about an order. */
export function runStore(settlement: Settlement, timeoutMs: number): Deps['runs'] {
  return {
    // What is read is what the end of the run wrote.
    outcomeOf: async (runId) => (await settlement.wait(runId, timeoutMs)) as Outcome,
    open: async (olderThanMs, limitMax) => (await settlement.standingStill(olderThanMs, limitMax)).map(toRun),
    find: async (id) => {
      const run = await settlement.findOpen(id);
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
