import type { Request } from 'express';
import { timeoutFactors } from '@holdfast/contracts/http';
import { callerHeader, type CallerSigner } from '@holdfast/http/caller';
import type { MatchedRequest } from '@holdfast/http/server';
import { requestHeaders } from '../forwarded-headers.js';
import type { GatewayLocals, GatewayMiddleware } from '../locals.js';
import { poolOf, type OutgoingRequest, type Proxy } from '../proxy.js';

export type ForwardDeps = { readonly signer: CallerSigner; readonly proxy: Pick<Proxy, 'forward'> };

/** Forwards the request to its service and streams the response back. */
export function forwardToService({ signer, proxy }: ForwardDeps): GatewayMiddleware {
  return async (request, response) => {
    // The client gets the headers that earlier middleware has set, and the headers of the service.
    await proxy.forward(outgoingRequest(signer, request, response.locals), response);
  };
}

type Admitted = Pick<GatewayLocals, 'route' | 'caller' | 'body' | 'requestId' | 'address'> & {
  /** Set for requests with an Idempotency-Key. */
  readonly operationId?: string;
};

type Incoming = Pick<Request, 'method' | 'originalUrl' | 'rawHeaders'>;

/** A matched request, as it is forwarded or handled here. */
export type IncomingRequest = Incoming & MatchedRequest;

/** The request to the service: the client's URL, headers and body, and a caller token that is valid for this service only. */
export function outgoingRequest(signer: CallerSigner, request: Incoming, admitted: Admitted): OutgoingRequest {
  const { route, caller, body, requestId, operationId, address } = admitted;
  const { service } = route;
  if (service === 'gateway') throw new Error(`route ${route.name} is served by the gateway and cannot be forwarded`);
  const isLogin = route.family === 'account' && route.auth === 'public';
  const verified = {
    caller,
    ...(operationId === undefined ? {} : { operationId }),
    ...(isLogin ? { clientAddress: address } : {}),
  };
  const headers = requestHeaders(request.rawHeaders);
  headers.push('x-request-id', requestId, callerHeader, signer.sign(verified, service));
  const timeoutFactor = route.waitsFor === undefined ? 1 : timeoutFactors[route.waitsFor];
  return { service, method: request.method, url: request.originalUrl, headers, body, pool: poolOf(route), timeoutFactor };
}
