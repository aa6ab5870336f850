import type { Log } from '@holdfast/kernel/context';
import type { OpenRunDetails } from './open-runs.js';

/** Logs runs past their point of no return, each once for as long as it is listed. */
export function stalledRunAlert(log: Pick<Log, 'error'>): (runs: readonly OpenRunDetails[]) => void {
  let logged: ReadonlySet<string> = new Set();
  return (runs) => {
    for (const { id: sagaRunId, saga, orderId, orderStatus, ageMs } of runs) {
      if (logged.has(sagaRunId)) continue;
      log.error(
        { sagaRunId, saga, orderId, orderStatus, ageMs },
        'stalled saga past its point of no return: an operator must look',
      );
    }
    logged = new Set(runs.map(({ id }) => id));
  };
}
