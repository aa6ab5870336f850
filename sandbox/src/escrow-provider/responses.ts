import type { FaultResponses } from '../control/inject-faults.js';
import type { RouteResponse } from '../web/route.js';

export function refusal(message: string, status = 400): RouteResponse {
  return { status, json: { message } };
}

export const escrowFaultResponses: FaultResponses = {
  failedBefore: () => refusal('An unexpected error occurred', 500),
  failedAfter: () => refusal('The result is not available yet. The transaction may not be complete yet', 500),
  rateLimited: () => ({ ...refusal('Too many requests', 429), headers: { 'Retry-After': '1' } }),
};
