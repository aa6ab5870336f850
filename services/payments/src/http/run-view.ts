import type { PaymentSagaRunView } from '@holdfast/contracts/http';
import type { OpenRun } from '@holdfast/sagas';

export function viewOfRun({ correlationId: _, ...run }: OpenRun): PaymentSagaRunView {
  return run;
}
