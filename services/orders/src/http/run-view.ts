import type { SagaRunView } from '@holdfast/shared/contracts/http';
import type { OpenRunDetails } from '../use-cases/open-runs.js';

export function viewOfRun({ requestId: _, ...run }: OpenRunDetails): SagaRunView {
  return run;
}
