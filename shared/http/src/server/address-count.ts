import type { Request, Response } from 'express';
import { AppError } from '@holdfast/kernel/errors';

/** Response header from a service to the gateway: the request counts for the rate limit of its address. */
export const countedHeader = 'x-holdfast-counted';

/** Request header from the gateway to a service: the address of the request has reached its rate limit. */
export const overLimitHeader = 'x-holdfast-over-limit';

/**
 * Counts the request for its address. A handler calls it once it knows that the signature is missing or wrong, before any other
 * effect: it throws RATE_LIMITED if the address has reached its limit. The gateway replaces that response by one with details.
 * See ADR 0081.
 */
export type CountForAddress = () => void;

export function countForAddressOf(request: Pick<Request, 'get'>, response: Pick<Response, 'set'>): CountForAddress {
  return () => {
    response.set(countedHeader, 'true');
    if (request.get(overLimitHeader) !== undefined) throw new AppError('RATE_LIMITED');
  };
}
