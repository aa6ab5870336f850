import { performance } from 'node:perf_hooks';
import { callerHeader, type VerifiedCaller } from '../caller/index.js';
import type { Clock, Context, Log } from '../context/index.js';
import { AppError } from '../errors/index.js';
import type { Metrics } from '../observability/index.js';
import { successEnvelope, type Answer } from './envelopes.js';
import { errorAnswers, type ErrorTranslation } from './error-answers.js';
import type { BoundRoute } from './handle.js';
import { operationalRoutes, type Readiness } from './operations.js';
import { inputParser } from './parse-input.js';
import { SenderLeftError, readBody, type BodyLimits } from './read-body.js';
import { requestIdHeader, requestIdOf } from './request-id.js';
import { requestObserver } from './request-observer.js';
import { createRouteTable, type RouteMatch } from './route-table.js';
import { send } from './send.js';
import type { Serve, ServedRequest } from './served.js';

export type DispatchOptions = {
  readonly routes: readonly BoundRoute[];
  /** Who asks, from the signed header; throws UNAUTHORIZED. */
  readonly authenticateCaller: (header: string | undefined) => VerifiedCaller;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly readiness: Readiness;
  readonly bodyLimits: BodyLimits;
  /** Turns breakages that pass by themselves (the database is gone) into refusals that say so. */
  readonly translateError: ErrorTranslation;
  readonly isStopping: () => boolean;
};

export type Dispatch = {
  readonly serve: Serve;
  readonly isStream: (method: string, url: string) => boolean;
};

type PreparedRoute = {
  readonly bound: BoundRoute;
  readonly parse: ReturnType<typeof inputParser>;
  readonly succeed: ReturnType<typeof successEnvelope>;
};

type Exchange = {
  readonly request: ServedRequest;
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly match: RouteMatch<PreparedRoute>;
};

/** Answers every request of a service. Whatever can be known about a route is computed here, once. */
export function createDispatch(options: DispatchOptions): Dispatch {
  const table = createRouteTable(options.routes.map((bound) => ({ ...bound.declaration, target: prepare(bound) })));
  const operate = operationalRoutes(options.readiness, options.metrics);
  const answerError = errorAnswers(options.log, options.translateError);
  // The gateway has a line for every request; here a second one with the same request id would tell nothing new.
  const observe = requestObserver({ ...options, successLevel: 'debug' });

  const answer = async (exchange: Exchange): Promise<Answer> => {
    const { request, match, path } = exchange;
    const body = await readBody(request, options.bodyLimits);
    if (match.kind === 'other-method') throw new AppError('METHOD_NOT_ALLOWED', { allowedMethods: match.allowedMethods });
    if (match.kind === 'unknown') return operate(path);
    const { target, params } = match;
    const ctx = contextOf(options, exchange);
    demandPart(target.bound, ctx);
    const input = target.parse({
      params,
      query: exchange.query,
      body,
      contentType: request.headers['content-type'],
      headers: request.headers,
    });
    const data = await target.bound.run(input, ctx);
    return target.succeed(data, { requestId: exchange.requestId, timestamp: options.clock.now() });
  };

  const serve: Serve = async (request, response) => {
    const startedAt = performance.now();
    const exchange = openExchange(request, table);
    const { match, requestId, method } = exchange;
    const route = match.kind === 'found' ? match.target.bound.declaration : undefined;
    let answered: Answer;
    try {
      answered = await answer(exchange);
    } catch (error) {
      if (error instanceof SenderLeftError) return;
      answered = answerError(error, { requestId, route });
    }
    send({ request, response, requestId, isLast: options.isStopping() }, answered);
    const { status, code } = answered;
    observe({ route: route?.path ?? 'none', method, status, code, durationMs: performance.now() - startedAt, requestId });
  };
  const isStream = (method: string, url: string): boolean => {
    const match = method === 'GET' ? table(method, splitUrl(url).path) : undefined;
    return match?.kind === 'found' && match.target.bound.declaration.success.form === 'event-stream';
  };
  return { serve, isStream };
}

function prepare(bound: BoundRoute): PreparedRoute {
  return { bound, parse: inputParser(bound.declaration), succeed: successEnvelope(bound.declaration) };
}

/** Internal questions are answered to the platform's own parts only, whatever rights somebody else has. */
function demandPart({ declaration }: BoundRoute, { caller }: Context): void {
  if (declaration.isInternal === true && caller.type !== 'system') throw new AppError('INSUFFICIENT_SCOPE');
}

function openExchange(request: ServedRequest, table: (method: string, path: string) => RouteMatch<PreparedRoute>): Exchange {
  const { url = '', method = '' } = request;
  const { path, query } = splitUrl(url);
  return { request, requestId: requestIdOf(request.headers[requestIdHeader]), method, path, query, match: table(method, path) };
}

function splitUrl(url: string): { readonly path: string; readonly query: string } {
  const mark = url.indexOf('?');
  return mark === -1 ? { path: url, query: '' } : { path: url.slice(0, mark), query: url.slice(mark + 1) };
}

function contextOf({ authenticateCaller, clock, log }: DispatchOptions, { request, requestId }: Exchange): Context {
  const header = request.headers[callerHeader];
  const { caller, operationId } = authenticateCaller(typeof header === 'string' ? header : undefined);
  const context = { requestId, caller, at: clock.now(), log: log.child({ requestId }) };
  return operationId === undefined ? context : { ...context, operationId };
}
