import { Horizon } from '@stellar/stellar-sdk';
import { breaker } from '@holdfast/http/breaker';
import type { ProviderMeasurement } from '@holdfast/http/provider-calls';
import { AppError } from '@holdfast/kernel/errors';
import { inClientSpan } from '@holdfast/observability';

type HorizonCall<Result> = (server: Horizon.Server) => Promise<Result>;

/** The SDK's client with a timeout and a circuit breaker. */
export type HorizonClient = {
  /** Undefined for 404. Throws SERVICE_UNAVAILABLE or PROVIDER_TIMEOUT for every other failure. */
  readonly read: <Result>(call: HorizonCall<Result>) => Promise<Result | undefined>;
};

const callTimeoutMs = 10_000;
/** The breaker's timeout ends the call; this later one closes the connection. */
const connectionTimeoutMs = callTimeoutMs + 1_000;
const limits = { timeoutMs: callTimeoutMs, failuresPercent: 50, callsMin: 20, resetMs: 5_000, isExpected: isRefusal };

const span = { name: 'read ledger-horizon', attributes: { 'peer.service': 'ledger-horizon' } };

export function openHorizon(url: string, measurement?: Pick<ProviderMeasurement, 'call' | 'onBreakerChange'>): HorizonClient {
  const server = new Horizon.Server(url, { allowHttp: url.startsWith('http://') });
  server.httpClient.defaults.timeout = connectionTimeoutMs;
  // One breaker guards all calls, so it cannot know their result types.
  const guarded = breaker<[HorizonCall<unknown>], unknown>((request) => request(server), {
    ...limits,
    ...(measurement === undefined ? {} : { onChange: measurement.onBreakerChange }),
  });
  return {
    read: async <Result>(request: HorizonCall<Result>) => {
      const send = (): Promise<unknown> => guarded(request);
      try {
        // eslint-disable-next-line holdfast/no-type-assertion -- the result is that of the call which was just passed in
        return (await inClientSpan(span, () => measurement?.call('read', send) ?? send())) as Result;
      } catch (error) {
        if (statusOf(error) === notFound) return undefined;
        throw toAppError(error);
      }
    },
  };
}

const notFound = 404;
const tooManyRequests = 429;
const gatewayTimeout = 504;

/** A 4xx response does not count as a failure for the breaker, except for 429. */
function isRefusal(error: unknown): boolean {
  const status = statusOf(error);
  return status !== undefined && status >= 400 && status < 500 && status !== tooManyRequests;
}

/** The SDK has several error types; an error about an HTTP response has it as `response`. */
function statusOf(error: unknown): number | undefined {
  const response: unknown = error instanceof Error && 'response' in error ? error.response : undefined;
  if (typeof response !== 'object' || response === null || !('status' in response)) return undefined;
  return typeof response.status === 'number' ? response.status : undefined;
}

function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const code = statusOf(error) === gatewayTimeout ? 'PROVIDER_TIMEOUT' : 'SERVICE_UNAVAILABLE';
  return new AppError(code, { dependency: 'ledgerNetwork' }, { cause: error });
}
