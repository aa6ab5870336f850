import type { PaymentSagaRunView } from '@holdfast/contracts/http';
import type { OpenRunDetails } from '../use-cases/open-runs.js';

export function viewOfRun({ correlationId: _, ...run }: OpenRunDetails): PaymentSagaRunView {
  return run;
}
