import type { IncomingMessage, ServerResponse } from 'node:http';
import { performance } from 'node:perf_hooks';
import { callerHeader, type CallerSigner } from '@holdfast/shared/caller';
import type { Log } from '@holdfast/shared/context';
import type { RouteDeclaration } from '@holdfast/shared/contracts/http';
import { AppError } from '@holdfast/shared/errors';
import {
  SenderLeftError,
  errorAnswers,
  readBody,
  requestIdHeader,
  requestIdOf,
  requestObserver,
  send,
  type Answer,
  type RouteMatch,
  type RouteTable,
} from '@holdfast/shared/http-server';
import type { Metrics } from '@holdfast/shared/observability';
import type { Authenticate } from './authenticate.js';
import { demandScope } from './authorize.js';
import { requestHeaders } from './forwarded-headers.js';
import type { Proxy } from './proxy.js';
import { securityHeaders } from './security-headers.js';

/** A declared route of some service, or something the gateway answers itself. */
export type GatewayTarget =
  | { readonly kind: 'service'; readonly route: RouteDeclaration }
  | { readonly kind: 'own'; readonly path: string; readonly answer: (requestId: string) => Answer };

export type PipelineDeps = {
  readonly table: RouteTable<GatewayTarget>;
  readonly authenticate: Authenticate;
  readonly signer: CallerSigner;
  readonly proxy: Proxy;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly isStopping: () => boolean;
};

type Exchange = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  readonly match: RouteMatch<GatewayTarget>;
};

/** What is told of a request that is over. */
type Outcome = Pick<Answer, 'status' | 'code'>;

/** The way of every request, top to bottom. */
export function createPipeline(deps: PipelineDeps): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const { table, authenticate, log, metrics } = deps;
  const answerError = errorAnswers(log, () => undefined);
  const observe = requestObserver(metrics, log);

  const run = async (exchange: Exchange): Promise<Outcome> => {
    const body = await readBody(exchange.request);
    const target = foundTarget(exchange.match);
    if (target.kind === 'own') return reply(deps, exchange, target.answer(exchange.requestId));
    const caller = authenticate(exchange.request, target.route);
    demandScope(caller, target.route);
    const status = await deps.proxy.forward({
      service: target.route.service,
      method: target.route.method.toUpperCase(),
      url: exchange.request.url ?? '',
      headers: [
        ...requestHeaders(exchange.request.rawHeaders),
        ...['x-request-id', exchange.requestId],
        ...[callerHeader, deps.signer.sign({ caller }, target.route.service)],
      ],
      body,
      response: exchange.response,
      ownHeaders: () => ownHeaders(deps, exchange),
    });
    return { status };
  };

  return async (request, response) => {
    const startedAt = performance.now();
    const method = request.method ?? '';
    const requestId = requestIdOf(request.headers[requestIdHeader]);
    const exchange = { request, response, requestId, match: table(method, pathOf(request)) };
    const route = declaredRoute(exchange.match);
    let outcome: Outcome;
    try {
      outcome = await run(exchange);
    } catch (error) {
      if (error instanceof SenderLeftError) return;
      outcome = reply(deps, exchange, answerError(error, { requestId, route }));
    }
    const { status, code } = outcome;
    observe({ route: labelOf(exchange.match), method, status, code, durationMs: performance.now() - startedAt, requestId });
  };
}

function pathOf({ url = '' }: IncomingMessage): string {
  const mark = url.indexOf('?');
  return mark === -1 ? url : url.slice(0, mark);
}

/** Only what is declared can be reached. */
function foundTarget(match: RouteMatch<GatewayTarget>): GatewayTarget {
  if (match.kind === 'unknown') throw new AppError('NOT_FOUND');
  if (match.kind === 'other-method') throw new AppError('METHOD_NOT_ALLOWED', { allowedMethods: match.allowedMethods });
  return match.target;
}

function declaredRoute(match: RouteMatch<GatewayTarget>): RouteDeclaration | undefined {
  return match.kind === 'found' && match.target.kind === 'service' ? match.target.route : undefined;
}

/** Never the path that came: the number of different labels stays bounded. */
function labelOf(match: RouteMatch<GatewayTarget>): string {
  if (match.kind !== 'found') return 'none';
  return match.target.kind === 'own' ? match.target.path : match.target.route.path;
}

function reply({ isStopping }: PipelineDeps, { request, response, requestId }: Exchange, answer: Answer): Outcome {
  const headers = [...(answer.headers ?? []), ...securityHeaders];
  send({ request, response, requestId, isLast: isStopping() }, { ...answer, headers });
  return answer;
}

function ownHeaders({ isStopping }: PipelineDeps, { requestId }: Exchange): readonly string[] {
  const headers = ['X-Request-ID', requestId, ...securityHeaders];
  return isStopping() ? [...headers, 'Connection', 'close'] : headers;
}
