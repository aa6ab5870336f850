import { send, type Answer } from '@holdfast/shared/http-server';
import type { CrossOrigin } from './cross-origin.js';
import type { Exchange } from './exchange.js';
import type { RateLimit } from './rate-limit.js';
import type { Reply } from './sealed-reply.js';
import { pageSecurityHeaders, securityHeaders } from './security-headers.js';

export type Replies = {
  /** What every answer carries of our own, names and values in turn. */
  readonly headersOf: (exchange: Exchange) => readonly string[];
  /** An answer of the gateway itself. */
  readonly send: (exchange: Exchange, answer: Answer) => Answer;
  /** An answer of a service to a request with an Idempotency-Key. */
  readonly sendReply: (exchange: Exchange, reply: Reply, idempotent: Idempotent) => Pick<Reply, 'status'>;
  /** What a browser gets that asks whether it may ask; undefined for every other request. */
  readonly preflight: (exchange: Exchange) => Answer | undefined;
};

type Idempotent = { readonly key: string; readonly isReplay: boolean };

type Options = {
  readonly rateLimit: Pick<RateLimit, 'headersOf'>;
  readonly crossOrigin: CrossOrigin;
  readonly isStopping: () => boolean;
};

export function createReplies({ rateLimit, crossOrigin, isStopping }: Options): Replies {
  const common = ({ match, taken, refusedBy, request }: Exchange): string[] =>
    (match.kind === 'page' ? pageSecurityHeaders : securityHeaders).concat(
      (refusedBy ?? rateLimit).headersOf(taken),
      crossOrigin.headersOf(request),
    );
  const headersOf = (exchange: Exchange): readonly string[] => {
    const headers = common(exchange);
    headers.push('X-Request-ID', exchange.requestId);
    if (isStopping()) headers.push('Connection', 'close');
    return headers;
  };
  const sendAnswer = (exchange: Exchange, answer: Answer): Answer => {
    const headers = [...(answer.headers ?? []), ...common(exchange)];
    send({ isLast: isStopping(), ...exchange }, { ...answer, headers });
    return answer;
  };
  return {
    headersOf,
    send: sendAnswer,
    sendReply: (exchange, { status, headers, body }, { key, isReplay }) => {
      const { response } = exchange;
      const own = ['X-Idempotency-Key', key, ...(isReplay ? ['Idempotency-Replay', 'true'] : [])];
      const length = ['Content-Length', String(body.length)];
      if (response.destroyed) return { status };
      response.writeHead(status, [...headers, ...length, ...own, ...headersOf(exchange)]);
      response.end(body);
      return { status };
    },
    preflight: ({ request, match }) =>
      match.kind === 'other-method' ? crossOrigin.preflight(request, match.allowedMethods) : undefined,
  };
}
