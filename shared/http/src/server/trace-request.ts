import { startRequestSpan } from '@holdfast/observability';
import type { Middleware } from './express-app.js';
import { routeLabel } from './request-log.js';

type Options = {
  /** Whether only processes of the platform can reach this server. */
  readonly isFromPlatform: boolean;
};

/** Handles each request in a span, which ends with the response. */
export function traceRequest({ isFromPlatform }: Options): Middleware {
  return ({ method, headers }, response, next) => {
    const { traceparent } = headers;
    const span = startRequestSpan({
      method,
      traceparent: typeof traceparent === 'string' ? traceparent : undefined,
      isFromPlatform,
    });
    if (span === undefined) {
      next();
      return;
    }
    response.once('close', () => {
      const { requestId, route, errorCode } = response.locals;
      span.end({
        route: routeLabel(response.locals),
        status: response.statusCode,
        attributes: {
          'holdfast.request_id': requestId,
          'holdfast.service': isFromPlatform ? (route?.service ?? 'unknown') : 'gateway',
          ...(errorCode === undefined ? {} : { 'error.type': errorCode }),
          ...(response.headersSent ? {} : { 'holdfast.client_disconnected': true }),
        },
      });
    });
    span.run(next);
  };
}
