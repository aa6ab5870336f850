import { z } from 'zod';
import type { Context } from '@holdfast/kernel/context';
import { fullPathOf, type RouteDeclaration } from '@holdfast/contracts/http';
import type { ServiceName } from '@holdfast/contracts/services';
import { AppError, errorCodes } from '@holdfast/kernel/errors';
import type { MarketplaceId } from '@holdfast/kernel/ids';
import { breaker } from '../breaker/index.js';
import { callerHeader, type CallerSigner } from '../caller/index.js';
import { HttpStatusError, createHttpClient, isHttpRefusal, type HttpRequest } from '../client/index.js';

export type ServiceClientOptions = {
  /** The calling service, or the gateway. */
  readonly from: string;
  readonly to: ServiceName;
  readonly baseUrl: string;
  readonly signer: CallerSigner;
  readonly timeoutMs?: number;
};

/** The request that the call belongs to, and its marketplace. */
export type CallContext = Pick<Context, 'requestId'> & { readonly marketplaceId: MarketplaceId };

export type ServiceClient = {
  /**
   * Calls a declared route of the other service. A 4xx response is thrown as its AppError; any other failure is
   * SERVICE_UNAVAILABLE, without a call while the breaker is open.
   */
  readonly call: <P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, D extends z.ZodType>(
    route: RouteDeclaration<P, Q, B, D>,
    input: CallInput<z.input<P>, z.input<Q>, z.input<B>>,
    context: CallContext,
  ) => Promise<z.output<D>>;
  readonly close: () => Promise<void>;
};

export type CallInput<Params, Query, Body> = {
  readonly params?: Params & Readonly<Record<string, string>>;
  readonly query?: Query & Readonly<Record<string, string>>;
  readonly body?: Body;
};

const timeoutMsDefault = 2_000;
/** The breaker's timeout is longer, because the HTTP client has the same timeout and aborts the request. */
const breakerMarginMs = 500;
const retryAfterSeconds = 1;

/** A client for the internal routes of another service, with a timeout and a circuit breaker. */
export function createServiceClient({ from, to, baseUrl, signer, ...limits }: ServiceClientOptions): ServiceClient {
  const timeoutMs = limits.timeoutMs ?? timeoutMsDefault;
  const http = createHttpClient({
    baseUrl,
    peer: to,
    isPlatform: true,
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
    call: async (route, { params = {}, query = {}, body }, { requestId, marketplaceId }) => {
      const caller = { type: 'system', id: from, marketplaceId, scopes: [] } as const;
      const response = await request({
        method: methods[route.method],
        path: pathWith(fullPathOf(route), params) + searchOf(query),
        operation: route.name,
        headers: { [callerHeader]: signer.sign({ caller }, to), 'x-request-id': requestId },
        responseSchema: z.unknown(),
        ...(body === undefined ? {} : { body }),
      }).catch((error: unknown) => {
        throw toRefusal(error) ?? unavailable(error);
      });
      const parsed = route.success.data.safeParse(envelope.safeParse(response).data?.data);
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

function pathWith(path: string, params: Readonly<Record<string, string>>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
}

function searchOf(query: Readonly<Record<string, string>>): string {
  const search = new URLSearchParams(query).toString();
  return search === '' ? '' : `?${search}`;
}

const refusalBody = z.object({
  error: z.object({ code: z.enum(errorCodes), details: z.record(z.string(), z.unknown()).optional() }),
});

/** These refuse our own credentials: a fault of the platform that must not reach the client as its own. */
const authenticationStatuses: ReadonlySet<number> = new Set([401, 403]);

function toRefusal(error: unknown): AppError | undefined {
  if (!(error instanceof HttpStatusError) || !isHttpRefusal(error) || authenticationStatuses.has(error.status)) return undefined;
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
