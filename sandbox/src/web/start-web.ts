import type { ErrorRequestHandler, Response, Router } from 'express';
import type { Log } from '@holdfast/kernel/context';
import { errorCatalogue, isAppError } from '@holdfast/kernel/errors';
import {
  ClientDisconnectedError,
  checkRequest,
  createExpressApp,
  createRouter,
  rawBody,
  refuseUnknownPath,
  startListener,
  type Listener,
  type Middleware,
} from '@holdfast/http/server';
import type { RouteResponse, Route } from './route.js';

export type WebOptions = {
  readonly host: string;
  readonly port: number;
  readonly log: Log;
  readonly routes: readonly Route[];
  /** Awaited before every response. */
  readonly durable: () => Promise<void>;
};

const drainTimeoutMs = 1_000;

/** Serves the routes. Every response waits until the state that it may contain is durable. */
export function startWeb({ host, port, log, routes, durable }: WebOptions): Promise<Listener> {
  const app = createExpressApp();
  app.use(checkRequest);
  app.use(rawBody());
  app.use(routerOf(routes, durable));
  app.use(refuseUnknownPath);
  app.use(failureHandler(log));
  return startListener(app, { host, port, drainTimeoutMs });
}

const verbs = { GET: 'get', POST: 'post', PUT: 'put', DELETE: 'delete' } as const;

function routerOf(routes: readonly Route[], durable: WebOptions['durable']): Router {
  const router = createRouter();
  for (const { method, path, handler } of routes) router[verbs[method]](path, routeHandler(handler, durable));
  return router;
}

function routeHandler(handler: Route['handler'], durable: WebOptions['durable']): Middleware {
  return async (request, response) => {
    const { headers, path, params, url } = request;
    const { body } = response.locals;
    const mark = url.indexOf('?');
    const query = new URLSearchParams(mark === -1 ? '' : url.slice(mark + 1));
    const result = await handler({ headers, path, params, query, body, clientClosed: () => clientClosedSignal(response) });
    await durable();
    send(response, result);
  };
}

function clientClosedSignal(response: Response): AbortSignal {
  const closed = new AbortController();
  response.once('close', () => closed.abort());
  if (response.destroyed) closed.abort();
  return closed.signal;
}

function send(response: Response, { status, json, text, contentType = 'application/json', headers = {} }: RouteResponse): void {
  if (response.headersSent || response.destroyed) return;
  const content = text ?? (json === undefined ? '' : JSON.stringify(json));
  response.status(status).set(headers);
  if (content !== '') response.setHeader('Content-Type', contentType);
  response.end(content);
}

/** Expected errors have their own status; anything else is a bug of the sandbox. */
function failureHandler(log: Log): ErrorRequestHandler {
  // Express recognises an error handler by its four parameters.
  return (error: unknown, request, response, _next) => {
    if (error instanceof ClientDisconnectedError) return;
    if (isAppError(error)) {
      send(response, { status: errorCatalogue[error.code].status, json: { message: error.message } });
      return;
    }
    log.error({ path: request.originalUrl, error }, 'request failed');
    send(response, { status: 500, json: { message: 'The sandbox has failed' } });
  };
}
