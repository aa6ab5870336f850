import type { CallerSigner } from '@holdfast/http/caller';
import { isAppError } from '@holdfast/kernel/errors';
import { idempotencyKeyOf, type Idempotency } from '../idempotency.js';
import { isReplayable } from '../idempotency-decision.js';
import type { GatewayLocals, GatewayMiddleware } from '../locals.js';
import type { GatewayMeasurement } from '../metrics.js';
import type { Proxy } from '../proxy.js';
import type { StoredResponse } from '../sealed-response.js';
import { sendStored } from '../send-stored.js';
import { outgoingRequest, type IncomingRequest } from './forward-to-service.js';

export type IdempotentRequestDeps = {
  readonly idempotency: Idempotency;
  readonly signer: CallerSigner;
  readonly proxy: Pick<Proxy, 'fetch'>;
  readonly measurement: Pick<GatewayMeasurement, 'idempotency'>;
};

/** Default: the service of the route responds. */
type Perform = (request: IncomingRequest, admitted: GatewayLocals & { readonly operationId: string }) => Promise<StoredResponse>;

/**
 * Responds to requests with an Idempotency-Key: the response of the service is stored, and a repeated request gets the stored one.
 * The request runs to its end even if the client disconnects. All other requests pass to the next middleware.
 */
export function idempotentRequest(
  { idempotency, signer, proxy, measurement }: IdempotentRequestDeps,
  perform: Perform = (request, admitted) => proxy.fetch(outgoingRequest(signer, request, admitted)),
): GatewayMiddleware {
  return async (request, response, next) => {
    const { caller, route, body } = response.locals;
    const header = request.get('Idempotency-Key');
    if (header === undefined) {
      next();
      return;
    }
    const key = idempotencyKeyOf(header);
    const { response: stored, isReplay } = await idempotency
      .runOnce({ caller, key, method: route.method, path: request.path, body }, (operationId) =>
        perform(request, { ...response.locals, operationId }),
      )
      .catch((error: unknown) => {
        if (isAppError(error, 'IDEMPOTENCY_KEY_IN_PROGRESS')) measurement.idempotency('conflict');
        if (isAppError(error, 'IDEMPOTENCY_KEY_REUSED')) measurement.idempotency('mismatch');
        throw error;
      });
    if (isReplay) measurement.idempotency('replayed');
    else if (isReplayable(stored.status)) measurement.idempotency('stored');
    response.set({ 'X-Idempotency-Key': key, ...(isReplay ? { 'Idempotency-Replay': 'true' } : {}) });
    sendStored(response, stored);
  };
}
