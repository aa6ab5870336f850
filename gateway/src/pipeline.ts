import { performance } from 'node:perf_hooks';
import { callerHeader, type CallerSigner } from '@holdfast/shared/caller';
import type { Caller, Log } from '@holdfast/shared/context';
import type { RouteDeclaration } from '@holdfast/shared/contracts/http';
import { AppError } from '@holdfast/shared/errors';
import {
  SenderLeftError,
  errorAnswers,
  readBody,
  requestIdHeader,
  requestIdOf,
  requestObserver,
  type Answer,
  type BodyLimits,
  type RouteTable,
  type Serve,
  type ServedRequest,
  type ServedResponse,
} from '@holdfast/shared/http-server';
import type { Metrics } from '@holdfast/shared/observability';
import { anonymous, type Authentication } from './authenticate.js';
import { demandScope } from './authorize.js';
import { clientAddressOf } from './client-address.js';
import { credentialOf } from './credential.js';
import { labelOf, pathOf, routeOf, type Exchange, type GatewayTarget } from './exchange.js';
import { requestHeaders } from './forwarded-headers.js';
import { idempotencyKeyOf, type Idempotency } from './idempotency.js';
import type { MemoryWindows } from './memory-windows.js';
import type { OpenStreams } from './open-streams.js';
import { isHealthRoute } from './own-routes.js';
import { poolOf, type Outgoing, type Proxy } from './proxy.js';
import type { RateLimit } from './rate-limit.js';
import type { RefusedCredentials } from './refused-credentials.js';
import type { Replies } from './replies.js';

export type PipelineDeps = {
  readonly table: RouteTable<GatewayTarget>;
  readonly pages: ReadonlyMap<string, Answer>;
  readonly authentication: Authentication;
  readonly rateLimit: RateLimit;
  /** Credentials that nobody knows yet, by address. Counted by each replica for itself: it only spares whoever is asked. */
  readonly guesses: MemoryWindows;
  readonly openStreams: OpenStreams;
  readonly refusedCredentials: Pick<RefusedCredentials, 'note'>;
  readonly idempotency: Idempotency;
  readonly signer: CallerSigner;
  readonly proxy: Proxy;
  readonly replies: Replies;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly bodyLimits: BodyLimits;
  readonly trustedProxyHops: number;
};

/** What is told of a request that is over. */
type Outcome = Pick<Answer, 'status' | 'code'>;

type ServiceTarget = Extract<GatewayTarget, { readonly kind: 'service' }>;

/** The way of every request, top to bottom. */
export function createPipeline(deps: PipelineDeps): Serve {
  const { replies, log, metrics } = deps;
  const answerError = errorAnswers(log, () => undefined);
  const observe = requestObserver({ metrics, log, successLevel: 'info' });

  const run = async (exchange: Exchange): Promise<Outcome> => {
    const preflight = replies.preflight(exchange);
    if (preflight !== undefined) return answerStranger(deps, exchange, preflight);
    const body = await readBody(exchange.request, deps.bodyLimits);
    const target = foundTarget(exchange);
    if (target.kind === 'page') return answerStranger(deps, exchange, target.page);
    if (target.kind === 'own') return answerOwn(deps, exchange, target);
    const caller = await admit(deps, exchange, target.route);
    demandScope(caller, target.route);
    await demandOwnLimits(deps, exchange, { target, caller });
    const admitted = { target, caller, body };
    const key = target.route.idempotent ? headerOf(exchange.request, 'idempotency-key') : undefined;
    if (key === undefined) return forward(deps, exchange, outgoing(deps, exchange, admitted));
    return answerOnce(deps, exchange, { ...admitted, key: idempotencyKeyOf(key) });
  };

  return async (request, response) => {
    const startedAt = performance.now();
    const exchange = openExchange(deps, request, response);
    const { requestId } = exchange;
    let outcome: Outcome;
    try {
      outcome = await run(exchange);
    } catch (error) {
      if (error instanceof SenderLeftError) return;
      exchange.taken ??= await deps.rateLimit.count(addressKey(exchange));
      outcome = replies.send(exchange, answerError(error, { requestId, route: routeOf(exchange) }));
    }
    const { status, code } = outcome;
    const durationMs = performance.now() - startedAt;
    observe({ route: labelOf(exchange), method: request.method ?? '', status, code, durationMs, requestId });
  };
}

function openExchange(deps: PipelineDeps, request: ServedRequest, response: ServedResponse): Exchange {
  const path = pathOf(request.url ?? '');
  const page = request.method === 'GET' ? deps.pages.get(path) : undefined;
  return {
    request,
    response,
    requestId: requestIdOf(request.headers[requestIdHeader]),
    address: clientAddressOf(request, deps.trustedProxyHops),
    path,
    match: page === undefined ? deps.table(request.method ?? '', path) : { kind: 'page', page },
    taken: undefined,
  };
}

/** Only what is declared can be reached. */
function foundTarget({ match }: Exchange) {
  if (match.kind === 'unknown') throw new AppError('NOT_FOUND');
  if (match.kind === 'other-method') throw new AppError('METHOD_NOT_ALLOWED', { allowedMethods: match.allowedMethods });
  return match.kind === 'page' ? match : match.target;
}

async function answerStranger(deps: PipelineDeps, exchange: Exchange, answer: Answer): Promise<Outcome> {
  await countAddress(deps, exchange);
  return deps.replies.send(exchange, answer);
}

async function answerOwn(
  deps: PipelineDeps,
  exchange: Exchange,
  { route, answer }: Extract<GatewayTarget, { readonly kind: 'own' }>,
): Promise<Outcome> {
  if (!isHealthRoute(route)) return answerStranger(deps, exchange, answer(exchange.requestId));
  exchange.taken = deps.rateLimit.look(addressKey(exchange));
  return deps.replies.send(exchange, answer(exchange.requestId));
}

/** Whoever calls, counted once: by its key where that is verified, else by its address. */
async function admit(deps: PipelineDeps, exchange: Exchange, route: RouteDeclaration): Promise<Caller> {
  if (route.auth === 'public') {
    await countAddress(deps, exchange);
    return anonymous;
  }
  const caller = await identify(deps, exchange);
  if (caller === undefined) {
    if (exchange.request.headers.authorization !== undefined) deps.refusedCredentials.note(exchange.address);
    await countAddress(deps, exchange);
    throw new AppError('UNAUTHORIZED');
  }
  exchange.taken = await deps.rateLimit.count(`key ${caller.id}`);
  deps.rateLimit.demand(exchange.taken);
  return caller;
}

/** What single routes allow, beside the limit of all requests. */
async function demandOwnLimits(
  { openStreams }: PipelineDeps,
  exchange: Exchange,
  { target: { limit, route }, caller }: Pick<Admitted, 'target' | 'caller'>,
): Promise<void> {
  if (limit !== undefined) {
    const who = route.auth === 'public' ? addressKey(exchange) : `key ${caller.id}`;
    const taken = await limit.count(`${route.method} ${route.path} ${who}`);
    if (limit.isExceeded(taken)) Object.assign(exchange, { taken, refusedBy: limit });
    limit.demand(taken);
  }
  if (route.success.form === 'event-stream') openStreams(caller.id, exchange.response);
}

/**
 * An address that keeps bringing credentials that are nobody's is refused before anybody is asked about them. Callers who
 * were known not long ago are never shut out by strangers at their address.
 */
async function identify(deps: PipelineDeps, exchange: Exchange): Promise<Caller | undefined> {
  const { request, requestId, address } = exchange;
  const credential = credentialOf(request);
  if (credential === undefined) return undefined;
  const asked = { requestId, actsFor: headerOf(request, 'x-marketplace-id') };
  if (deps.authentication.isFamiliar(credential)) return deps.authentication.identify(credential, asked);
  const guess = deps.guesses.take(address);
  if (deps.rateLimit.isExceeded(guess)) {
    exchange.taken = guess;
    deps.refusedCredentials.note(address);
  }
  deps.rateLimit.demand(guess);
  let isNobodys = false;
  try {
    const caller = await deps.authentication.identify(credential, asked);
    isNobodys = caller === undefined;
    return caller;
  } finally {
    if (!isNobodys) deps.guesses.giveBack(address);
  }
}

/** One that came twice is none that anybody meant: its values are joined, and no rule knows such a value. */
function headerOf({ headers }: ServedRequest, name: string): string | undefined {
  const value = headers[name];
  return value === undefined ? undefined : [value].flat().join(', ');
}

async function countAddress({ rateLimit }: PipelineDeps, exchange: Exchange): Promise<void> {
  exchange.taken = await rateLimit.count(addressKey(exchange));
  rateLimit.demand(exchange.taken);
}

function addressKey({ address }: Exchange): string {
  return `address ${address}`;
}

type Admitted = {
  readonly target: ServiceTarget;
  readonly caller: Caller;
  readonly body: Buffer;
  /** Of the operation that an Idempotency-Key stands for. */
  readonly operationId?: string;
};

/** What the service gets: the bytes as they came, and who calls, signed for this service only. */
function outgoing(deps: PipelineDeps, { request, requestId }: Exchange, admitted: Admitted): Outgoing {
  const { target, caller, body, operationId } = admitted;
  const { service, route } = target;
  const verified = operationId === undefined ? { caller } : { caller, operationId };
  const headers = requestHeaders(request.rawHeaders);
  headers.push('x-request-id', requestId, callerHeader, deps.signer.sign(verified, service));
  return { service, pool: poolOf(route), method: request.method ?? '', url: request.url ?? '', headers, body };
}

async function forward({ proxy, replies }: PipelineDeps, exchange: Exchange, sent: Outgoing): Promise<Outcome> {
  const { response } = exchange;
  return { status: await proxy.forward(sent, { response, ownHeaders: () => replies.headersOf(exchange) }) };
}

/** With an Idempotency-Key the answer is kept and given again; it is finished even if the caller leaves. */
async function answerOnce(
  deps: PipelineDeps,
  exchange: Exchange,
  admitted: Admitted & { readonly key: string },
): Promise<Outcome> {
  const { caller, key, body, target } = admitted;
  const { reply, isReplay } = await deps.idempotency.once(
    { caller, key, method: target.route.method, path: exchange.path, body },
    (operationId) => deps.proxy.fetch(outgoing(deps, exchange, { ...admitted, operationId })),
  );
  return deps.replies.sendReply(exchange, reply, { key, isReplay });
}
