import type { IncomingMessage } from 'node:http';
import type { Router } from 'express';
import type { Clock, Context, Log } from '@holdfast/kernel/context';
import type { RouteDeclaration } from '@holdfast/contracts/http';
import { AppError } from '@holdfast/kernel/errors';
import { callerHeader, type VerifiedCaller } from '../caller/index.js';
import { countForAddressOf } from './address-count.js';
import { declaredRoutes } from './declared-routes.js';
import type { Middleware } from './express-app.js';
import type { BoundRoute } from './bind-routes.js';
import { successEnvelope, type PreparedResponse } from './envelopes.js';
import { callerFields } from './observe-request.js';
import { inputParser, type RawInput } from './parse-input.js';
import { send } from './send.js';
import { sendDownload } from './send-download.js';

export type ServiceRoutesOptions = {
  readonly routes: readonly BoundRoute[];
  /** Verifies the caller token, which must be for the service of the route; throws UNAUTHORIZED. */
  readonly authenticateCaller: (header: string | undefined, service: RouteDeclaration['service']) => VerifiedCaller;
  readonly clock: Clock;
  readonly log: Log;
};

/** Mounts the routes of a service on an Express router. */
export function serviceRoutes(options: ServiceRoutesOptions): Router {
  return declaredRoutes(
    options.routes.map((bound) => ({ declaration: bound.declaration, handler: routeHandler(bound, options) })),
  );
}

function routeHandler(bound: BoundRoute, { authenticateCaller, clock, log }: ServiceRoutesOptions): Middleware {
  const { declaration } = bound;
  const { isCountedByService } = declaration;
  const { download } = declaration.success;
  const respond = routeResponder(bound, { clock });
  return async (request, response) => {
    response.locals.route = declaration;
    const { requestId, body } = response.locals;
    const { caller, ...verified } = authenticateCaller(request.get(callerHeader), declaration.service);
    response.locals.caller = caller;
    const ctx: Context = {
      requestId,
      caller,
      at: clock.now(),
      // Created on first use, because most requests log nothing here.
      get log() {
        return log.child({ requestId, ...callerFields(caller) });
      },
      ...verified,
    };
    requireFittingCaller(bound, ctx);
    const counting = isCountedByService === true ? { countForAddress: countForAddressOf(request, response) } : {};
    const preferring =
      download === undefined ? {} : { isDownload: request.accepts('json', download.contentType) === download.contentType };
    const { chunks, ...prepared } = await respond(rawInputOf(request, body), ctx, { ...counting, ...preferring });
    if (chunks === undefined) send(response, prepared);
    else await sendDownload(response, prepared, chunks);
  };
}

/**
 * Only services of the platform may call internal routes, whatever scopes another caller has. People may call the routes for people
 * only; the gateway has checked that, too. See ADR 0009.
 */
function requireFittingCaller({ declaration }: BoundRoute, { caller }: Context): void {
  if (declaration.isInternal === true && caller.type !== 'system') throw new AppError('INSUFFICIENT_SCOPE');
  if (caller.type === 'account' && declaration.auth !== 'account') throw new AppError('UNAUTHORIZED');
}

/** Parses a request by the declaration of its route, runs the handler, and wraps the result. */
export type RouteResponder = (raw: RawInput, ctx: Context, more?: object) => Promise<PreparedResponse>;

/** Parser and envelope are prepared once per route. */
export function routeResponder(bound: BoundRoute, { clock }: { readonly clock: Clock }): RouteResponder {
  const { declaration } = bound;
  const parse = inputParser(declaration);
  const succeed = successEnvelope(declaration);
  return async (raw, ctx, more = {}) => {
    const data = await bound.run({ ...parse(raw), ...more }, ctx);
    return succeed(data, { requestId: ctx.requestId, timestamp: clock.now() });
  };
}

/** What is parsed of a request that Express has matched. */
export type MatchedRequest = Pick<IncomingMessage, 'headers'> & Pick<RawInput, 'params'> & { readonly url: string };

export function rawInputOf({ url, params, headers }: MatchedRequest, body: Buffer): RawInput {
  const mark = url.indexOf('?');
  return { params, query: mark === -1 ? '' : url.slice(mark + 1), body, contentType: headers['content-type'], headers };
}
