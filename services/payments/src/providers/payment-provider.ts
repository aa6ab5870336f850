import { z } from 'zod';
import { breaker } from '@holdfast/http/breaker';
import { createHttpClient, isHttpRefusal } from '@holdfast/http/client';
import type { ProviderBudget } from '@holdfast/intents';
import { retry } from '@holdfast/kernel/async';
import { AppError, isAppError } from '@holdfast/kernel/errors';
import type { PaymentProvider, StatementItem } from '../use-cases/provider-ports.js';
import { isNotFound, toProviderError } from './payment-errors.js';
import { payinRequest, payoutRequest } from './payment-requests.js';
import * as responses from './payment-responses.js';

export type PaymentProviderOptions = {
  readonly baseUrl: string;
  readonly key: string;
  readonly secret: string;
  readonly budget: Pick<ProviderBudget, 'take'>;
  readonly onBreakerChange?: (state: string) => void;
  /** Only tests wait for less. */
  readonly timeoutMs?: number;
  readonly breakerResetMs?: number;
};

const timeoutMsDefault = 10_000;
const breakerLimits = { failuresPercent: 50, callsMin: 20, resetMs: 5_000 } as const;
/** A page of the statement has up to a thousand payments. */
const responseBytesMax = 8 * 1024 * 1024;

/** Calls that move money go ahead of look-ups, and those ahead of statements. */
const priorities = { write: 0, read: 1, statement: 2 } as const;

/** The HTTP client of the payment provider. Only reads are retried here; the caller decides about all others. */
export function createPaymentProvider(options: PaymentProviderOptions): PaymentProvider {
  const { call, close } = createCaller(options);
  const write = async <Schema extends z.ZodType>(request: Request<Schema>): Promise<z.output<Schema>> =>
    call(request, priorities.write).catch(rethrow);
  const read = <Schema extends z.ZodType>(
    path: string,
    responseSchema: Schema,
    signal?: AbortSignal,
    priority: number = priorities.read,
  ) => retry(() => call({ method: 'GET', path, responseSchema, signal }, priority), readRetries);
  const find = <Schema extends z.ZodType>(path: string, schema: Schema, signal?: AbortSignal) =>
    read(path, schema, signal).catch((error: unknown) => (isNotFound(error) ? undefined : rethrow(error)));
  const findPayin = async (path: string, signal?: AbortSignal) => {
    const found = await find(path, responses.payinResponse, signal);
    return found === undefined ? undefined : responses.toPayin(found);
  };
  const findPayout = async (path: string, signal?: AbortSignal) => {
    const found = await find(path, responses.payoutResponse, signal);
    return found === undefined ? undefined : responses.toPayout(found);
  };
  const readPage = (path: string, signal?: AbortSignal) =>
    read(path, responses.pageResponse, signal, priorities.statement).catch(rethrow);
  return {
    findUser: async (email, signal) => {
      const found = await find(`/users/${encodeURIComponent(email)}`, responses.userResponse, signal);
      return found === undefined ? undefined : responses.toUser(found);
    },
    createPayin: async (payin, signal) => {
      const body = payinRequest(payin);
      return responses.toPayin(
        await write({ method: 'POST', path: '/payins', body, responseSchema: responses.payinResponse, signal }),
      );
    },
    findPayin: (id, signal) => findPayin(`/payins/${encodeURIComponent(id)}`, signal),
    findPayinByCode: (code, signal) => findPayin(`/payins/by-code/${encodeURIComponent(code)}`, signal),
    cancelPayin: (id, signal) => write({ method: 'DELETE', path: `/payins/${encodeURIComponent(id)}`, ...noContent, signal }),
    createPayout: async (payout, signal) => {
      const body = payoutRequest(payout);
      return responses.toPayout(
        await write({ method: 'POST', path: '/payouts', body, responseSchema: responses.payoutResponse, signal }),
      );
    },
    commitPayout: (id, signal) =>
      write({ method: 'POST', path: `/payouts/${encodeURIComponent(id)}/commit`, ...noContent, signal }),
    findPayout: (id, signal) => findPayout(`/payouts/${encodeURIComponent(id)}`, signal),
    findPayoutByCode: (code, signal) => findPayout(`/payouts/by-code/${encodeURIComponent(code)}`, signal),
    cancelPayout: (id, signal) => write({ method: 'DELETE', path: `/payouts/${encodeURIComponent(id)}`, ...noContent, signal }),
    statement: async (signal) => ({
      payins: await allPages((query) => readPage(`/payins?${query}`, signal), responses.confirmedStatus),
      payouts: await allPages((query) => readPage(`/payouts?${query}`, signal), responses.completedStatus),
    }),
    close,
  };
}

/** The response says nothing that is used. */
const noContent = { responseSchema: z.unknown().transform(() => undefined) } as const;

type Request<Schema extends z.ZodType = z.ZodType> = {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
  readonly responseSchema: Schema;
  readonly signal?: AbortSignal | undefined;
};

/** Every call waits for the budget, then passes the circuit breaker. Refusals do not open the breaker. */
function createCaller({ baseUrl, key, secret, budget, onBreakerChange, ...limits }: PaymentProviderOptions) {
  const { timeoutMs = timeoutMsDefault, breakerResetMs = breakerLimits.resetMs } = limits;
  const errors = { unavailable: 'SERVICE_UNAVAILABLE', timedOut: 'PROVIDER_TIMEOUT' } as const;
  const client = createHttpClient({ baseUrl, timeoutMs, errors, responseBytesMax });
  const authorization = `Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`;
  const send = ({ signal, ...request }: Request): Promise<unknown> =>
    client.request({ ...request, headers: { authorization }, ...(signal === undefined ? {} : { signal }) });
  const guarded = breaker(send, {
    ...breakerLimits,
    // The client has its own time limit; the breaker's is only a safeguard.
    timeoutMs: 2 * timeoutMs,
    resetMs: breakerResetMs,
    isExpected: (error) => isHttpRefusal(error),
    ...(onBreakerChange === undefined ? {} : { onChange: onBreakerChange }),
  });
  return {
    call: async <Schema extends z.ZodType>(request: Request<Schema>, priority: number): Promise<z.output<Schema>> => {
      await budget.take(priority, request.signal);
      return (await guarded(request)) as z.output<Schema>;
    },
    close: () => {
      guarded.close();
      return client.close();
    },
  };
}

/** Reads have no side effect, so they are retried, but not after a time-out: a request waits for them. */
const readRetries = {
  attemptsMax: 3,
  firstDelayMs: 150,
  shouldRetry: (error: unknown): boolean => !isHttpRefusal(error) && !(isAppError(error) && error.code === 'PROVIDER_TIMEOUT'),
};

function rethrow(error: unknown): never {
  throw toProviderError(error);
}

const perPage = 1_000;
const pagesMax = 10_000;

/** Pages from the first payment to the last one, and keeps those with the final status. */
async function allPages(
  readPage: (query: string) => Promise<z.output<typeof responses.pageResponse>>,
  finalStatus: string,
): Promise<readonly StatementItem[]> {
  const found: StatementItem[] = [];
  let after: string | undefined;
  for (let page = 0; page < pagesMax; page += 1) {
    const query = new URLSearchParams({ perPage: String(perPage), ...(after === undefined ? {} : { after }) });
    const { items, endCursor } = await readPage(query.toString());
    found.push(...responses.toStatement(items, finalStatus));
    if (items.length === 0 || endCursor === undefined || endCursor === null) return found;
    if (endCursor === after) break;
    after = endCursor;
  }
  throw new AppError('SERVICE_UNAVAILABLE', {}, { cause: new Error('the statement of the payment provider does not end') });
}
