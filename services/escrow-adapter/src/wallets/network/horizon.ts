import { Horizon } from '@stellar/stellar-sdk';
import { breaker } from '@holdfast/http/breaker';
import { AppError } from '@holdfast/kernel/errors';

type HorizonCall<Result> = (server: Horizon.Server) => Promise<Result>;

/** The SDK's client, behind a time limit and a breaker. */
export type HorizonClient = {
  /** Undefined where the network has no such thing. SERVICE_UNAVAILABLE or PROVIDER_TIMEOUT when it does not answer sensibly. */
  readonly read: <Result>(call: HorizonCall<Result>) => Promise<Result | undefined>;
  /** Throws whatever went wrong: what it means for a submission is not decided here. */
  readonly submit: <Result>(call: HorizonCall<Result>) => Promise<Result>;
};

const callTimeoutMs = 10_000;
/** The breaker says when a call has taken too long; the client only makes sure that its connection does not stay open. */
const connectionTimeoutMs = callTimeoutMs + 1_000;
const limits = { timeoutMs: callTimeoutMs, failuresPercent: 50, callsMin: 20, resetMs: 5_000, isExpected: isRefusal };

export function openHorizon(url: string): HorizonClient {
  const server = new Horizon.Server(url, { allowHttp: url.startsWith('http://') });
  server.httpClient.defaults.timeout = connectionTimeoutMs;
  const guarded = (): (<Result>(request: HorizonCall<Result>) => Promise<Result>) => {
    // The breaker guards calls of every kind, so it knows nothing about what they answer.
    const call = breaker<[HorizonCall<unknown>], unknown>((request) => request(server), limits);
    // eslint-disable-next-line holdfast/no-type-assertion -- the answer is that of the call which was just passed in
    return async <Result>(request: HorizonCall<Result>) => (await call(request)) as Result;
  };
  const reading = guarded();
  return {
    read: async (request) => {
      try {
        return await reading(request);
      } catch (error) {
        if (statusOf(error) === notFound) return undefined;
        throw toAppError(error);
      }
    },
    submit: guarded(),
  };
}

const notFound = 404;
const tooManyRequests = 429;
const gatewayTimeout = 504;

/** A refusal that the network meant is an answer; being asked too often is a failure like being away. */
function isRefusal(error: unknown): boolean {
  const status = statusOf(error);
  return status !== undefined && status >= 400 && status < 500 && status !== tooManyRequests;
}

/** The SDK has errors of several kinds; those that stand for an answer have it as `response`. */
export function statusOf(error: unknown): number | undefined {
  const response: unknown = error instanceof Error && 'response' in error ? error.response : undefined;
  if (typeof response !== 'object' || response === null || !('status' in response)) return undefined;
  return typeof response.status === 'number' ? response.status : undefined;
}

function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const code = statusOf(error) === gatewayTimeout ? 'PROVIDER_TIMEOUT' : 'SERVICE_UNAVAILABLE';
  return new AppError(code, { dependency: 'ledgerNetwork' }, { cause: error });
}
