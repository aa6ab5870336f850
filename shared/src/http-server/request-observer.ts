import type { Log } from '../context/index.js';
import type { Metrics } from '../observability/index.js';

export type FinishedRequest = {
  /** The declared path with its placeholders, never the path that came: the number of different labels stays bounded. */
  readonly route: string;
  readonly method: string;
  readonly status: number;
  readonly durationMs: number;
  readonly requestId: string;
  /** Of a refusal. */
  readonly code: string | undefined;
};

const bucketsSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60];
const refusedFrom = 400;

type ObserverOptions = {
  readonly metrics: Metrics;
  readonly log: Log;
  /** Where the line of a request that succeeded goes. A refused one is always `info`. */
  readonly successLevel: 'debug' | 'info';
};

/** One log line and one measurement per finished request. */
export function requestObserver({ metrics, log, successLevel }: ObserverOptions): (finished: FinishedRequest) => void {
  const durations = metrics.histogram('http_request_duration_seconds', 'Time from the headers of a request to its answer.', {
    labels: ['method', 'route', 'status'],
    buckets: bucketsSeconds,
  });
  return (finished) => {
    const { method, route, status, durationMs, requestId, code } = finished;
    durations.observe({ method, route, status }, durationMs / 1_000);
    const level = status < refusedFrom ? successLevel : 'info';
    log[level]({ route, method, status, durationMs: Math.round(durationMs * 100) / 100, requestId, code }, 'request answered');
  };
}
