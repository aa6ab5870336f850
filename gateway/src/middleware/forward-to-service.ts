import type { CallerSigner } from '@holdfast/http/caller';
import type { GatewayMiddleware } from '../locals.js';
import { outgoingRequest } from '../outgoing-request.js';
import type { Proxy } from '../proxy.js';

export type ForwardDeps = { readonly signer: CallerSigner; readonly proxy: Pick<Proxy, 'forward'> };

/** Forwards the request to its service and streams the response back. */
export function forwardToService({ signer, proxy }: ForwardDeps): GatewayMiddleware {
  return async (request, response) => {
    // The client gets the headers that earlier middleware has set, and those of the service.
    await proxy.forward(outgoingRequest(signer, request, response.locals), response);
  };
}
