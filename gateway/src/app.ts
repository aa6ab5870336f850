import cors from 'cors';
import type { Express, RequestHandler } from 'express';
import helmet from 'helmet';
import {
  checkRequest,
  createExpressApp,
  errorHandler,
  observeRequest,
  rawBody,
  requestId,
  type BodyLimits,
  type BoundRoute,
} from '@holdfast/http/server';
import type { RouteDeclaration } from '@holdfast/contracts/http';
import type { Metrics } from '@holdfast/observability';
import { consolePages, type ConsolePages } from './console-pages.js';
import { corsOptions } from './cors-options.js';
import { guidePages } from './guide-pages.js';
import { helmetOptions } from './helmet-options.js';
import type { GatewayMiddleware } from './locals.js';
import { authorizeCaller, type AuthorizeDeps } from './middleware/authorize-caller.js';
import { boundRoute, type BoundRouteDeps } from './middleware/bound-route.js';
import { countRefusedWebhook } from './middleware/count-refused-webhook.js';
import { forwardToService, type ForwardDeps } from './middleware/forward-to-service.js';
import { forwardWebhook, type ForwardWebhookDeps } from './middleware/forward-webhook.js';
import { identifyCaller, type IdentifyDeps } from './middleware/identify-caller.js';
import { idempotentRequest, type IdempotentRequestDeps } from './middleware/idempotent-request.js';
import { limitRate, type LimitRateDeps } from './middleware/limit-rate.js';
import { limitRoute, type LimitRouteDeps } from './middleware/limit-route.js';
import { limitStreams, type LimitStreamsDeps } from './middleware/limit-streams.js';
import { markUncounted } from './middleware/mark-uncounted.js';
import { matchRoute } from './middleware/match-route.js';
import { ownRoute } from './middleware/own-route.js';
import { requireSandbox, type RequireSandboxDeps } from './middleware/require-sandbox.js';
import type { OwnResponses } from './own-responses.js';
import type { RateLimit } from './rate-limit.js';
import { referencePages, type ReferenceDocument } from './reference-pages.js';
import { ServiceUnreachable } from './service-unreachable.js';

export type AppDeps = IdentifyDeps &
  LimitRateDeps &
  AuthorizeDeps &
  LimitRouteDeps &
  LimitStreamsDeps &
  IdempotentRequestDeps &
  ForwardWebhookDeps &
  RequireSandboxDeps &
  BoundRouteDeps &
  ForwardDeps & {
    readonly metrics: Metrics;
    readonly corsOrigins: readonly string[];
    readonly documents: readonly ReferenceDocument[];
    /** Undefined where the console is switched off. */
    readonly console: ConsolePages | undefined;
    readonly bodyLimits: BodyLimits;
    readonly routes: readonly RouteDeclaration[];
    readonly ownResponses: OwnResponses;
    readonly boundRoutes: readonly BoundRoute[];
    /** The entry of RATE_LIMIT_ROUTES for a route, if any. */
    readonly limitOfRoute: (route: RouteDeclaration) => RateLimit | undefined;
  };

/** The middleware in the order in which a request passes it. The comments name the statuses that each may respond with. */
export function createApp(deps: AppDeps): Express {
  const app = createExpressApp();
  app.use(requestId());
  app.use(observeRequest({ log: deps.log, metrics: deps.metrics, successLevel: 'info', isFromPlatform: false }));
  app.use(helmet(helmetOptions), noStore, cors(corsOptions(deps.corsOrigins)));
  app.use(checkRequest); // 431, 404
  app.use(...markUncounted(deps.routes)); // health requests and webhooks, which the rate limit does not count
  app.use(identifyCaller(deps)); // verifies the credential; never refuses
  app.use(limitRate(deps)); // 429, per key if verified, else per address; sets X-RateLimit headers on every response
  app.use(referencePages(deps.documents));
  app.use(consolePages(deps.console)); // 401, 403, 413
  app.use(guidePages());
  app.use(rawBody(deps.bodyLimits)); // 413, 415
  app.use(matchRoute(deps.routes, (route) => stepsOf(route, deps))); // 404, 405
  app.use(countRefusedWebhook(deps)); // 429
  app.use(errorHandler(deps.log, undefined, { isLogged: (error) => error instanceof ServiceUnreachable }));
  return app;
}

/** Default `Cache-Control`; a service may replace it. */
const noStore: RequestHandler = (_request, response, next) => {
  response.setHeader('Cache-Control', 'no-store');
  next();
};

/** The steps that concern a route, in the order in which its requests pass them. */
function stepsOf(route: RouteDeclaration, deps: AppDeps): readonly GatewayMiddleware[] {
  const respond = deps.ownResponses.get(route);
  if (respond !== undefined) return [ownRoute(respond)]; // /config and /health, which the gateway serves itself
  const limit = deps.limitOfRoute(route);
  return [
    ...(route.onlyWith === 'sandbox' ? [requireSandbox(deps)] : []), // 404
    authorizeCaller(deps), // 401, 403, 404
    ...(limit === undefined ? [] : [limitRoute(limit, deps)]), // 429
    ...(route.success.form === 'event-stream' ? [limitStreams(deps)] : []), // 429, 503
    ...(route.isCountedByService === true ? [forwardWebhook(deps)] : []), // 429; webhooks end here
    ...responding(route, deps),
  ];
}

/** The last steps: the gateway responds to operators itself, or forwards the request to a service. */
function responding(route: RouteDeclaration, deps: AppDeps): readonly GatewayMiddleware[] {
  const bound = deps.boundRoutes.find(({ declaration }) => declaration === route);
  const own = bound === undefined ? undefined : boundRoute(bound, deps);
  return [
    // 409; requests with an Idempotency-Key end here, with a stored or a new response
    ...(route.idempotent ? [idempotentRequest(deps, own?.fetch)] : []),
    own?.middleware ?? forwardToService(deps),
  ];
}
