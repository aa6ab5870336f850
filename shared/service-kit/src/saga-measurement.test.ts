import { createMetrics } from '@holdfast/observability';
import { collectingLog } from '@holdfast/testing/log';
import { createSagaMeasurement, type StalledRun } from './saga-measurement.js';

type Run = StalledRun & { readonly orderId: string };

function aRun(id: string, given: Partial<Run> = {}): Run {
  return {
    id,
    saga: 'release',
    orderId: 'ord_1',
    ageMs: 700_000,
    isPastPointOfNoReturn: true,
    retryStoppedReason: null,
    ...given,
  };
}

function aMeasurement() {
  const log = collectingLog();
  const metrics = createMetrics({ service: 'orders', processMetrics: false });
  const measure = createSagaMeasurement<Run>({ metrics, log, subjectOf: ({ orderId }) => ({ orderId }) });
  return { log, metrics, measure };
}

describe('createSagaMeasurement', () => {
  it('logs an error once for each run past its point of no return, with its names', () => {
    const { log, measure } = aMeasurement();
    measure([aRun('run_1')]);
    measure([aRun('run_1'), aRun('run_2'), aRun('run_3', { isPastPointOfNoReturn: false })]);
    measure([aRun('run_1'), aRun('run_2')]);
    expect(log.lines.map(({ level, fields }) => [level, fields['sagaRunId'], fields['saga'], fields['orderId']])).toEqual([
      ['error', 'run_1', 'release', 'ord_1'],
      ['error', 'run_2', 'release', 'ord_1'],
    ]);
  });

  it('counts stalled runs, those past their point of no return, and those that no retry helps', async () => {
    const { metrics, measure } = aMeasurement();
    measure([aRun('run_1'), aRun('run_2', { isPastPointOfNoReturn: false, retryStoppedReason: 'contradicted' }), aRun('run_3')]);
    const text = await metrics.registry.metrics();
    expect(text).toMatch(/holdfast_sagas_stalled\S* 3/);
    expect(text).toMatch(/holdfast_sagas_stalled_past_no_return\S* 2/);
    expect(text).toMatch(/holdfast_sagas_stopped\S* 1/);
  });
});
