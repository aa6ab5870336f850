import type { GatewayMiddleware } from '../locals.js';
import type { OpenStreams } from '../open-streams.js';

export type LimitStreamsDeps = { readonly openStreams: OpenStreams };

/** Counts an event stream until its response ends, and refuses it if too many are open. */
export function limitStreams({ openStreams }: LimitStreamsDeps): GatewayMiddleware {
  return (_request, response, next) => {
    openStreams(response.locals.caller.id, response);
    next();
  };
}
