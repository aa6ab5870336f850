import type { CallerSigner } from '@holdfast/http/caller';
import type { GatewayMiddleware } from '../locals.js';
import { outgoingRequest } from '../outgoing-request.js';
import type { Proxy } from '../proxy.js';

export type ForwardDeps = { readonly signer: CallerSigner; readonly proxy: Pick<Proxy, 'forward'> };

/** Passes the request to its service, and the response of the service through as it comes. */
export function forwardToService({ signer, proxy }: ForwardDeps): GatewayMiddleware {
  return async (request, response) => {
    // The headers that the middleware has set on the response are sent along with those of the service.
    await proxy.forward(outgoingRequest(signer, request, response.locals), response);
  };
}
