import { z } from 'zod';
import type { ServiceName } from '../services/index.js';
import { noBody, noParams, noQuery } from '../shapes/index.js';
import { route } from './route.js';

/**
 * An internal route that the service host binds in every service: the gateway shows the result in /health/detailed. The port for
 * metrics and health checks is not reachable for the gateway everywhere.
 */
export function readinessRouteOf(service: ServiceName) {
  return route({
    isInternal: true,
    auth: 'any',
    idempotent: false,
    family: 'plain',
    service,
    malformedParams: 'NOT_FOUND',
    params: noParams,
    query: noQuery,
    name: `${service}.getReadiness`,
    method: 'get',
    path: '/internal/readiness',
    summary: 'Whether the service is ready, with the state of each part that it needs',
    body: noBody,
    success: { status: 200, data: z.object({ parts: z.record(z.string(), z.string()) }) },
    errors: [],
  });
}
