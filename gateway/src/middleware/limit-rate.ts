import type { AppError } from '@holdfast/kernel/errors';
import { isCredentialRefused } from '../identification.js';
import type { GatewayLocals, GatewayMiddleware } from '../locals.js';
import type { WindowCount } from '../memory-windows.js';
import type { GatewayMeasurement } from '../metrics.js';
import type { RateLimit } from '../rate-limit.js';
import type { RefusalLog } from '../refusal-log.js';
import type { RefusedCredentials } from '../refused-credentials.js';

export type LimitRateDeps = {
  readonly rateLimit: RateLimit;
  readonly refusedCredentials: Pick<RefusedCredentials, 'record'>;
  readonly refusalLog: Pick<RefusalLog, 'record'>;
  readonly measurement: Pick<GatewayMeasurement, 'rateLimited'>;
};

/**
 * Requests with a verified credential are counted per key, all others per address. Health routes are not counted, and webhooks not
 * yet: `forwardWebhook` counts them once their service has verified the signature.
 */
export function limitRate(deps: LimitRateDeps): GatewayMiddleware {
  const { rateLimit } = deps;
  return async (_request, response, next) => {
    const { locals } = response;
    const client = clientOf(locals);
    const isCounted = locals.isHealthRequest !== true && locals.isCountedByService !== true;
    const window = isCounted ? await rateLimit.count(client) : rateLimit.get(client);
    response.set(rateLimit.headersOf(window));
    if (isCounted && rateLimit.isExceeded(window)) throw refusalOf(deps, locals, window);
    next();
  };
}

/** RATE_LIMITED for the client of the request, after it was logged and measured. */
export function refusalOf(
  { rateLimit, refusedCredentials, refusalLog, measurement }: LimitRateDeps,
  locals: GatewayLocals,
  window: WindowCount | undefined,
): AppError {
  const client = clientOf(locals);
  if (isCredentialRefused(locals.identification)) refusedCredentials.record(locals.address);
  locals.isUnlogged = !refusalLog.record(client);
  measurement.rateLimited(client.startsWith('key ') ? 'key' : 'address');
  return rateLimit.errorOf(window);
}

/** A webhook needs no credential, so one that it carries makes no difference. */
export function clientOf({ identification, address, isCountedByService }: GatewayLocals): string {
  const isVerified = identification.kind === 'verified' && isCountedByService !== true;
  return isVerified ? `key ${identification.caller.id}` : `address ${address}`;
}
