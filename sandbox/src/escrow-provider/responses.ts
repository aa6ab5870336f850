import type { z } from 'zod';
import type { FaultResponses } from '../control/inject-faults.js';
import { escrowNotFound } from '../domain/operation-failure.js';
import type { RouteResponse } from '../web/route.js';
import { faultsOf } from '../web/shapes.js';

export function refusal(message: string, status = 400): RouteResponse {
  return { status, json: { message } };
}

export function refusedFields(error: z.ZodError): RouteResponse {
  return refusal(faultsOf(error));
}

/** The provider answers 500, not 404, for an escrow that it does not know. */
export function notFound(): RouteResponse {
  return refusal(escrowNotFound, 500);
}

const secondMs = 1_000;

export function tooManyRequests(retryInMs: number): RouteResponse {
  return { ...refusal('Too many requests', 429), headers: { 'Retry-After': String(Math.ceil(retryInMs / secondMs)) } };
}

export const escrowFaultResponses: FaultResponses = {
  failedBefore: () => refusal('An unexpected error occurred', 500),
  failedAfter: () => refusal('The result is not available yet. The transaction may not be complete yet', 500),
  rateLimited: () => tooManyRequests(secondMs),
};
