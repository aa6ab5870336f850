import type { SagaRunView } from '@holdfast/shared/contracts/http';
import type { RunInSight } from '../use-cases/open-runs.js';

export function viewOfRun({ requestId: _, ...run }: RunInSight): SagaRunView {
  return run;
}
