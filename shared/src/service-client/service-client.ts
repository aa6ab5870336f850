import { z } from 'zod';
import { breaker } from '../breaker/index.js';
import { callerHeader, type CallerSigner } from '../caller/index.js';
import type { Context } from '../context/index.js';
import type { RouteDeclaration } from '../contracts/http/index.js';
import type { ServiceName } from '../contracts/services/index.js';
import { AppError, errorCodes } from '../errors/index.js';
import { HttpStatusError, createHttpClient, isHttpRefusal, type HttpRequest } from '../http-client/index.js';
import { apiPrefix } from '../http-server/index.js';
import type { MarketplaceId } from '../ids/index.js';

export type ServiceClientOptions = {
  /** Who asks: a service, or the gateway. */
  readonly from: string;
  readonly to: ServiceName;
  readonly baseUrl: string;
  readonly signer: CallerSigner;
  readonly timeoutMs?: number;
};

/** On whose behalf something is asked: the request it belongs to, and the marketplace it is about. */
export type AskedFor = Pick<Context, 'requestId'> & { readonly marketplaceId: MarketplaceId };

export type ServiceClient = {
  /**
   * Asks a declared route of the other service. A refusal comes back as the AppError that the other side meant; whatever
   * else goes wrong is SERVICE_UNAVAILABLE, at once while the other side is known to be down.
   */
  readonly ask: <P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, D extends z.ZodType>(
    route: RouteDeclaration<P, Q, B, D>,
    question: Question<z.input<P>, z.input<B>>,
    askedFor: AskedFor,
  ) => Promise<z.output<D>>;
  readonly close: () => Promise<void>;
};

export type Question<Params, Body> = { readonly params?: Params & Readonly<Record<string, string>>; readonly body?: Body };

const timeoutMsDefault = 2_000;
/** The client's own limit comes first; this one is for a client that does not keep it. */
const breakerMarginMs = 500;
const retryAfterSeconds = 1;

/** Plain questions from one part of the platform to another, with a time limit and a breaker. */
export function createServiceClient({ from, to, baseUrl, signer, ...limits }: ServiceClientOptions): ServiceClient {
  const timeoutMs = limits.timeoutMs ?? timeoutMsDefault;
  const http = createHttpClient({
    baseUrl,
    timeoutMs,
    errors: { unavailable: 'SERVICE_UNAVAILABLE', timedOut: 'SERVICE_UNAVAILABLE' },
  });
  const request = breaker((given: HttpRequest<z.ZodUnknown>) => http.request(given), {
    timeoutMs: timeoutMs + breakerMarginMs,
    failuresPercent: 50,
    callsMin: 20,
    resetMs: 5_000,
    isExpected: isHttpRefusal,
  });
  return {
    ask: async (route, { params = {}, body }, { requestId, marketplaceId }) => {
      const caller = { type: 'system', id: from, marketplaceId, scopes: [] } as const;
      const answer = await request({
        method: methods[route.method],
        path: apiPrefix + filledIn(route.path, params),
        headers: { [callerHeader]: signer.sign({ caller }, to), 'x-request-id': requestId },
        answer: z.unknown(),
        ...(body === undefined ? {} : { body }),
      }).catch((error: unknown) => {
        throw refusalIn(error) ?? unavailable(error);
      });
      const parsed = route.success.data.safeParse(envelope.safeParse(answer).data?.data);
      if (!parsed.success) throw unavailable(parsed.error);
      return parsed.data;
    },
    close: () => {
      request.close();
      return http.close();
    },
  };
}

const envelope = z.object({ data: z.unknown() });
const methods = { get: 'GET', post: 'POST', patch: 'PATCH', delete: 'DELETE' } as const;

function filledIn(path: string, params: Readonly<Record<string, string>>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
}

const refusalBody = z.object({
  error: z.object({ code: z.enum(errorCodes), details: z.record(z.string(), z.unknown()).optional() }),
});

/** That we could not prove who we are is our own fault, and no answer for those who ask us. */
const ownFaults: ReadonlySet<number> = new Set([401, 403]);

function refusalIn(error: unknown): AppError | undefined {
  if (!(error instanceof HttpStatusError) || !isHttpRefusal(error) || ownFaults.has(error.status)) return undefined;
  const parsed = refusalBody.safeParse(error.body);
  if (!parsed.success) return undefined;
  const { code, details = {} } = parsed.data.error;
  const { requestId: _, ...own } = details;
  return new AppError(code, own, { cause: error });
}

function unavailable(error: unknown): unknown {
  if (error instanceof AppError && error.code === 'SERVICE_UNAVAILABLE') return error;
  return new AppError('SERVICE_UNAVAILABLE', { retryAfterSeconds }, { cause: error });
}
