import type { SagaRunView } from '@holdfast/contracts/http';
import type { OpenRunOfOrder } from '../use-cases/open-runs.js';

export function viewOfRun({ aggregateId: _, correlationId: __, ...run }: OpenRunOfOrder): SagaRunView {
  return run;
}
