import { performance } from 'node:perf_hooks';
import type { Response } from 'express';
import type { Caller, Log } from '@holdfast/kernel/context';
import { defineGauge, defineHistogram, inPresentSpan, startRequestSpan, type Metrics } from '@holdfast/observability';
import type { Middleware, RequestLocals } from './express-app.js';

const bucketsSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60];
const errorStatusMin = 400;

type Options = {
  readonly metrics: Metrics;
  readonly log: Log;
  /** The level for successful requests. Error responses are always logged as `info`. */
  readonly successLevel: 'debug' | 'info';
  /** Whether only processes of the platform can reach this server. */
  readonly isFromPlatform: boolean;
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

/**
 * Handles each request in a span, which ends with the response. A request whose response was begun gets one measurement and, unless it
 * is sampled, one log line.
 */
export function observeRequest({ metrics, log, successLevel, isFromPlatform }: Options): Middleware {
  const durations = metrics.histogram(requestDuration);
  const open = metrics.gauge(openRequests);
  return ({ method, headers }, response, next) => {
    const startedAt = performance.now();
    open.inc();
    const report = (): void => {
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
    };
    const { traceparent } = headers;
    const sender = typeof traceparent === 'string' ? traceparent : undefined;
    const span = startRequestSpan({ method, traceparent: sender, isFromPlatform });
    const handle = (): void => {
      const onClose = inPresentSpan(() => {
        open.dec();
        report();
        span?.end(spanFactsOf(response, isFromPlatform));
      });
      response.once('close', onClose);
      next();
    };
    if (span === undefined) handle();
    else span.run(handle);
  };
}

function spanFactsOf({ locals, statusCode, headersSent }: Response<unknown, RequestLocals>, isFromPlatform: boolean) {
  const { requestId, route, errorCode } = locals;
  return {
    route: routeLabel(locals),
    status: statusCode,
    attributes: {
      'holdfast.request_id': requestId,
      'holdfast.service': isFromPlatform ? (route?.service ?? 'unknown') : 'gateway',
      ...(errorCode === undefined ? {} : { 'error.type': errorCode }),
      ...(headersSent ? {} : { 'holdfast.client_disconnected': true }),
    },
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
function routeLabel({ route, pageLabel = 'none' }: RequestLocals): string {
  return route?.path ?? pageLabel;
}
