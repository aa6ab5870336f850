import {
  rawInputOf,
  routeResponder,
  send,
  type BoundRoute,
  type MatchedRequest,
  type PreparedResponse,
} from '@holdfast/http/server';
import type { Clock, Log } from '@holdfast/kernel/context';
import type { GatewayLocals, GatewayMiddleware } from '../locals.js';
import type { StoredResponse } from '../sealed-response.js';

export type BoundRouteDeps = { readonly clock: Clock; readonly log: Log };

type Admitted = Pick<GatewayLocals, 'caller' | 'requestId' | 'body'>;

/** Serves a route whose handler puts together what services know, for a caller that was authorized. */
export function boundRoute(bound: BoundRoute, deps: BoundRouteDeps) {
  const respond = responderOf(bound, deps);
  const middleware: GatewayMiddleware = async (request, response) => send(response, await respond(request, response.locals));
  return {
    middleware,
    /** For a request with an Idempotency-Key, whose response is stored. */
    fetch: async (request: MatchedRequest, admitted: Admitted): Promise<StoredResponse> =>
      stored(await respond(request, admitted)),
  };
}

function responderOf(bound: BoundRoute, { clock, log }: BoundRouteDeps) {
  const respond = routeResponder(bound, { clock });
  return (request: MatchedRequest, { caller, requestId, body }: Admitted): Promise<PreparedResponse> => {
    const ctx = { requestId, caller, at: clock.now(), log: log.child({ requestId }) };
    return respond(rawInputOf(request, body), ctx);
  };
}

function stored({ status, text }: PreparedResponse): StoredResponse {
  return { status, headers: ['content-type', 'application/json; charset=utf-8'], body: Buffer.from(text) };
}
