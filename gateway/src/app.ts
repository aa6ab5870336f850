import cors from 'cors';
import type { Express } from 'express';
import helmet from 'helmet';
import {
  checkRequest,
  createExpressApp,
  errorHandler,
  rawBody,
  requestId,
  requestLog,
  traceRequest,
  type BodyLimits,
} from '@holdfast/http/server';
import type { Log } from '@holdfast/kernel/context';
import type { RouteDeclaration } from '@holdfast/contracts/http';
import type { Metrics } from '@holdfast/observability';
import { corsOptions } from './cors-options.js';
import { helmetOptions } from './helmet-options.js';
import { actForMarketplace, type MarketplaceDeps } from './middleware/act-for-marketplace.js';
import { countRefusedWebhook } from './middleware/count-refused-webhook.js';
import { findCountedByService } from './middleware/find-counted-by-service.js';
import { forwardToService, type ForwardDeps } from './middleware/forward-to-service.js';
import { forwardWebhook, type ForwardWebhookDeps } from './middleware/forward-webhook.js';
import { identifyCaller, type IdentifyDeps } from './middleware/identify-caller.js';
import { idempotentRequest, type IdempotentRequestDeps } from './middleware/idempotent-request.js';
import { limitRate, type LimitRateDeps } from './middleware/limit-rate.js';
import { limitRoute, type LimitRouteDeps } from './middleware/limit-route.js';
import { limitStreams, type LimitStreamsDeps } from './middleware/limit-streams.js';
import { matchRoute } from './middleware/match-route.js';
import { noStore } from './middleware/no-store.js';
import { ownRoutes } from './middleware/own-routes.js';
import { requireCaller, type RequireCallerDeps } from './middleware/require-caller.js';
import { requireScope, type RequireScopeDeps } from './middleware/require-scope.js';
import type { OwnResponses } from './own-responses.js';
import { referencePages, type ReferenceDocument } from './reference-pages.js';
import { ServiceUnreachable } from './service-unreachable.js';

export type AppDeps = IdentifyDeps &
  LimitRateDeps &
  RequireCallerDeps &
  MarketplaceDeps &
  RequireScopeDeps &
  LimitRouteDeps &
  LimitStreamsDeps &
  IdempotentRequestDeps &
  ForwardWebhookDeps &
  ForwardDeps & {
    readonly log: Log;
    readonly metrics: Metrics;
    readonly corsOrigins: readonly string[];
    readonly documents: readonly ReferenceDocument[];
    readonly bodyLimits: BodyLimits;
    readonly routes: readonly RouteDeclaration[];
    readonly ownResponses: OwnResponses;
  };

/** The middleware in the order in which a request passes it. The comments name the statuses that each may respond with. */
export function createApp(deps: AppDeps): Express {
  const app = createExpressApp();
  app.use(requestId());
  app.use(traceRequest({ isFromPlatform: false }));
  app.use(requestLog({ log: deps.log, metrics: deps.metrics, successLevel: 'info' }));
  app.use(helmet(helmetOptions), noStore, cors(corsOptions(deps.corsOrigins)));
  app.use(checkRequest); // 431, 404
  app.use(identifyCaller(deps)); // verifies the credential; never refuses
  app.use(findCountedByService(deps.routes)); // marks webhooks, which the next step does not count yet
  app.use(limitRate(deps)); // 429, per key if verified, else per address; sets X-RateLimit headers on every response
  app.use(referencePages(deps.documents));
  app.use(rawBody(deps.bodyLimits)); // 413, 415
  app.use(matchRoute(deps.routes)); // 404, 405
  app.use(ownRoutes(deps.ownResponses)); // /config and /health, which the gateway serves itself
  app.use(requireCaller(deps)); // 401
  app.use(actForMarketplace(deps)); // 403, 404
  app.use(requireScope(deps)); // 403
  app.use(limitRoute(deps)); // 429, for routes in RATE_LIMIT_ROUTES
  app.use(limitStreams(deps)); // 429, 503
  app.use(forwardWebhook(deps)); // 429; webhooks end here
  app.use(idempotentRequest(deps)); // 409; requests with an Idempotency-Key end here, with a stored or a new response
  app.use(forwardToService(deps));
  app.use(countRefusedWebhook(deps)); // 429
  app.use(errorHandler(deps.log, undefined, { isLogged: (error) => error instanceof ServiceUnreachable }));
  return app;
}
