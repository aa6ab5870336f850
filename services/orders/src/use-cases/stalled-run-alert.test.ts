import { collectingLog } from '@holdfast/testing/log';
import type { OpenRunDetails } from './open-runs.js';
import { stalledRunAlert } from './stalled-run-alert.js';

function aRun(id: `run_${string}`): OpenRunDetails {
  return {
    id,
    saga: 'release',
    orderId: 'ord_1',
    marketplaceId: 'mkt_1',
    requestId: 'req-1',
    begunAt: '2026-01-31T12:00:00.000000Z',
    attempts: 3,
    nextRetryAt: null,
    retryStoppedReason: null,
    orderStatus: 'RELEASE_REQUESTED',
    ageMs: 700_000,
    isPastPointOfNoReturn: true,
  };
}

describe('stalledRunAlert', () => {
  it('logs an error once for each run, with its names', () => {
    const log = collectingLog();
    const alert = stalledRunAlert(log);
    alert([aRun('run_1')]);
    alert([aRun('run_1'), aRun('run_2')]);
    alert([aRun('run_1'), aRun('run_2')]);
    expect(log.lines.map(({ level, fields }) => [level, fields['sagaRunId'], fields['saga'], fields['orderId']])).toEqual([
      ['error', 'run_1', 'release', 'ord_1'],
      ['error', 'run_2', 'release', 'ord_1'],
    ]);
  });
});
