import { performance } from 'node:perf_hooks';
import type { Caller, Log } from '@holdfast/kernel/context';
import { defineGauge, defineHistogram, inPresentSpan, type Metrics } from '@holdfast/observability';
import type { Middleware, RequestLocals } from './express-app.js';

const bucketsSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60];
const errorStatusMin = 400;

type Options = {
  readonly metrics: Metrics;
  readonly log: Log;
  /** The level for successful requests. Error responses are always logged as `info`. */
  readonly successLevel: 'debug' | 'info';
};

const requestDuration = defineHistogram(
  'holdfast_http_request_duration_seconds',
  'Time from the request headers to the end of the response, for every response that was begun',
  {
    labels: { method: 'the methods of HTTP', route: 'the paths of declared routes', status: 'the statuses of HTTP' },
    buckets: bucketsSeconds,
  },
);
const openRequests = defineGauge('holdfast_http_requests_open', 'Requests that are being handled, event streams included');

/** The metrics of every HTTP server. */
export const httpMetrics = [requestDuration, openRequests] as const;

/** One measurement and, unless it is sampled, one log line per finished request; none if the client disconnected before. */
export function requestLog({ metrics, log, successLevel }: Options): Middleware {
  const durations = metrics.histogram(requestDuration);
  const open = metrics.gauge(openRequests);
  return ({ method }, response, next) => {
    const startedAt = performance.now();
    open.inc();
    const onClose = inPresentSpan(() => {
      open.dec();
      if (!response.headersSent) return;
      const { requestId, errorCode: code, caller, isUnlogged = false } = response.locals;
      const { statusCode: status } = response;
      const durationMs = performance.now() - startedAt;
      const route = routeLabel(response.locals);
      durations.observe({ method, route, status }, durationMs / 1_000);
      if (isUnlogged) return;
      const level = status < errorStatusMin ? successLevel : 'info';
      const facts = { route, method, status, durationMs: Math.round(durationMs * 100) / 100 };
      log[level]({ ...facts, requestId, ...callerFields(caller), code }, 'request completed');
    });
    response.once('close', onClose);
    next();
  };
}

/** The fields that name the caller in a log line. Accounts, services of the platform and anonymous callers have no key. */
export function callerFields(caller: Caller | undefined): Readonly<Record<string, string>> {
  if (caller === undefined || caller.type === 'anonymous') return {};
  const { type, id, marketplaceId } = caller;
  if (type === 'system') return { marketplaceId };
  return type === 'account' ? { marketplaceId, userId: id } : { marketplaceId, keyId: id };
}

/** The declared path with its placeholders, so that the number of labels is bounded. */
export function routeLabel({ route, pageLabel = 'none' }: RequestLocals): string {
  return route?.path ?? pageLabel;
}
