import type { Express } from 'express';
import { AppError } from '@holdfast/kernel/errors';
import type { Metrics } from '@holdfast/observability';
import { checkRequest } from './check-request.js';
import { errorHandler, type ErrorTranslation } from './error-handler.js';
import { createExpressApp, type Middleware } from './express-app.js';
import { startListener, type Listener, type ListenerOptions } from './listener.js';
import { observeRequest } from './observe-request.js';
import { rawBody, type BodyLimits } from './read-body.js';
import { requestId } from './request-id.js';
import { serviceRoutes, type ServiceRoutesOptions } from './service-routes.js';

export type HttpServerOptions = ListenerOptions &
  ServiceRoutesOptions & {
    readonly metrics: Metrics;
    readonly bodyLimits?: BodyLimits;
    /** Turns transient failures, such as an unreachable database, into AppErrors. */
    readonly translateError?: ErrorTranslation;
  };

/** Serves the declared routes of a service. */
export function startHttpServer(options: HttpServerOptions): Promise<Listener> {
  return startListener(createServiceApp(options), options);
}

function createServiceApp(options: HttpServerOptions): Express {
  const { log, metrics } = options;
  const app = createExpressApp();
  app.use(requestId());
  // `debug`, because the gateway has already logged the request at `info`.
  app.use(observeRequest({ log, metrics, successLevel: 'debug', isFromPlatform: true }));
  app.use(checkRequest);
  app.use(rawBody(options.bodyLimits));
  app.use(serviceRoutes(options));
  app.use(refuseUnknownPath);
  app.use(errorHandler(log, options.translateError));
  return app;
}

export const refuseUnknownPath: Middleware = () => {
  throw new AppError('NOT_FOUND');
};
