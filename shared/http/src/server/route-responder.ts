import type { IncomingMessage } from 'node:http';
import type { Clock, Context } from '@holdfast/kernel/context';
import type { BoundRoute } from './bind-routes.js';
import { successEnvelope, type PreparedResponse } from './envelopes.js';
import { inputParser, type RawInput } from './parse-input.js';

/** Parses a request by the declaration of its route, runs the handler, and wraps the result. */
export type RouteResponder = (raw: RawInput, ctx: Context, more?: object) => Promise<PreparedResponse>;

/** Parser and envelope are prepared once per route. */
export function routeResponder({ declaration, run }: BoundRoute, { clock }: { readonly clock: Clock }): RouteResponder {
  const parse = inputParser(declaration);
  const succeed = successEnvelope(declaration);
  return async (raw, ctx, more = {}) => {
    const data = await run({ ...parse(raw), ...more }, ctx);
    return succeed(data, { requestId: ctx.requestId, timestamp: clock.now() });
  };
}

/** What is parsed of a request that Express has matched. */
export type MatchedRequest = Pick<IncomingMessage, 'headers'> & Pick<RawInput, 'params'> & { readonly url: string };

export function rawInputOf({ url, params, headers }: MatchedRequest, body: Buffer): RawInput {
  const mark = url.indexOf('?');
  return { params, query: mark === -1 ? '' : url.slice(mark + 1), body, contentType: headers['content-type'], headers };
}
