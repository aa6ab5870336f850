import type { SagaRunView } from '@holdfast/contracts/http';
import type { OpenRunDetails } from '../use-cases/open-runs.js';

export function viewOfRun({ requestId: _, ...run }: OpenRunDetails): SagaRunView {
  return run;
}
