import { z } from 'zod';
import { breaker } from '@holdfast/http/breaker';
import { createHttpClient, isHttpRefusal, isRateLimited } from '@holdfast/http/client';
import type { ProviderMeasurement } from '@holdfast/http/provider-calls';
import { IntentPaused } from '@holdfast/intents';
import { type ProviderBudget } from '@holdfast/intents/provider-controls';
import { retry } from '@holdfast/kernel/async';
import { AppError, isAppError } from '@holdfast/kernel/errors';
import type { paymentOperations } from '../metrics.js';
import type { PaymentProvider, ProviderCall } from '../use-cases/provider-ports.js';
import { isNotFound, toProviderError } from './payment-errors.js';
import { payinRequest, payoutRequest } from './payment-requests.js';
import * as responses from './payment-responses.js';

export type PaymentProviderOptions = {
  readonly baseUrl: string;
  readonly key: string;
  readonly secret: string;
  readonly budget: Pick<ProviderBudget, 'take' | 'empty'>;
  readonly measurement?: Pick<ProviderMeasurement, 'call' | 'onBreakerChange'>;
  readonly timeoutMs: number;
  /** Only tests wait for less. */
  readonly breakerResetMs?: number;
  readonly readRetryMs?: number;
};

const breakerLimits = { failuresPercent: 50, callsMin: 20, resetMs: 5_000 } as const;
const readRetryMsDefault = 150;
/** A page of the statement has up to a thousand payments. */
const responseBytesMax = 8 * 1024 * 1024;

/**
 * Calls that move money go ahead of look-ups, and those ahead of statements. Only intents write, and they are paused if they have to
 * wait; a request waits for a look-up, and a job for a statement.
 */
const turns = {
  write: { priority: 0 },
  read: { priority: 1, waitMsMax: 5_000 },
  statement: { priority: 2, waitMsMax: 60_000 },
} as const;
type Turn = { readonly priority: number; readonly waitMsMax?: number };

/** The HTTP client of the payment provider. Only reads are retried here; the caller decides about all others. */
export function createPaymentProvider(options: PaymentProviderOptions): PaymentProvider {
  const { call, close } = createCaller(options);
  const readRetries = { ...readRetryLimits, firstDelayMs: options.readRetryMs ?? readRetryMsDefault };
  const write = async <Schema extends z.ZodType>(operation: Operation, request: Sent<Schema>): Promise<z.output<Schema>> =>
    call({ ...request, operation }, turns.write).catch(rethrow);
  const read = <Schema extends z.ZodType>(path: string, responseSchema: Schema, of: ProviderCall = {}, turn: Turn = turns.read) =>
    retry(() => call({ ...of, operation: 'read', method: 'GET', path, responseSchema }, turn), readRetries);
  const find = <Schema extends z.ZodType>(path: string, schema: Schema, of?: ProviderCall) =>
    read(path, schema, of).catch((error: unknown) => (isNotFound(error) ? undefined : rethrow(error)));
  const findPayin = async (path: string, of?: ProviderCall) => {
    const found = await find(path, responses.payinResponse, of);
    return found === undefined ? undefined : responses.toPayin(found);
  };
  const findPayout = async (path: string, of?: ProviderCall) => {
    const found = await find(path, responses.payoutResponse, of);
    return found === undefined ? undefined : responses.toPayout(found);
  };
  const readPage = (path: string, signal?: AbortSignal) =>
    read(path, responses.pageResponse, signal === undefined ? {} : { signal }, turns.statement).catch(rethrow);
  return {
    findUser: async (email, of) => {
      const found = await find(`/users/${encodeURIComponent(email)}`, responses.userResponse, of);
      return found === undefined ? undefined : responses.toUser(found);
    },
    createPayin: async (payin, of) => {
      const request = { ...of, method: 'POST', path: '/payins', body: payinRequest(payin), key: payin.code } as const;
      return responses.toPayin(await write('create-payin', { ...request, responseSchema: responses.payinResponse }));
    },
    findPayin: (id, of) => findPayin(`/payins/${encodeURIComponent(id)}`, of),
    findPayinByCode: (code, of) => findPayin(`/payins/by-code/${encodeURIComponent(code)}`, of),
    cancelPayin: (id, of) =>
      write('cancel-payin', { ...of, method: 'DELETE', path: `/payins/${encodeURIComponent(id)}`, ...noContent }),
    createPayout: async (payout, of) => {
      const request = { ...of, method: 'POST', path: '/payouts', body: payoutRequest(payout), key: payout.code } as const;
      return responses.toPayout(await write('create-payout', { ...request, responseSchema: responses.payoutResponse }));
    },
    commitPayout: (id, of) =>
      write('commit', { ...of, method: 'POST', path: `/payouts/${encodeURIComponent(id)}/commit`, ...noContent }),
    findPayout: (id, of) => findPayout(`/payouts/${encodeURIComponent(id)}`, of),
    findPayoutByCode: (code, of) => findPayout(`/payouts/by-code/${encodeURIComponent(code)}`, of),
    cancelPayout: (id, of) =>
      write('cancel-payout', { ...of, method: 'DELETE', path: `/payouts/${encodeURIComponent(id)}`, ...noContent }),
    balance: (signal) =>
      read('/me/balance', responses.balanceResponse, signal === undefined ? {} : { signal }, turns.statement).catch(rethrow),
    statement: async (signal) => {
      const payins = await allPages((query) => readPage(`/payins?${query}`, signal));
      const payouts = await allPages((query) => readPage(`/payouts?${query}`, signal));
      return responses.toStatement(
        payins.map(({ items }) => responses.toListed(items, 'payin')),
        payouts.map(({ items }) => responses.toListed(items, 'payout')),
      );
    },
    close,
  };
}

/** The response says nothing that is used. */
const noContent = { responseSchema: z.unknown().transform(() => undefined) } as const;

type Operation = (typeof paymentOperations)[number];
type Request<Schema extends z.ZodType = z.ZodType> = Sent<Schema> & { readonly operation: Operation };
type Sent<Schema extends z.ZodType> = ProviderCall & {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
  readonly responseSchema: Schema;
  /** What the request is about, where its path does not say it. */
  readonly key?: string;
};

/** Every call waits for the budget, then passes the circuit breaker. Refusals do not open the breaker. */
function createCaller({ baseUrl, key, secret, budget, measurement, ...limits }: PaymentProviderOptions) {
  const { timeoutMs, breakerResetMs = breakerLimits.resetMs } = limits;
  const errors = { unavailable: 'SERVICE_UNAVAILABLE', timedOut: 'PROVIDER_TIMEOUT' } as const;
  const client = createHttpClient({ baseUrl, timeoutMs, errors, responseBytesMax, peer: 'payment-provider' });
  const authorization = `Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`;
  const send = ({ key: _, marketplaceId: __, ...request }: Request): Promise<unknown> =>
    client.request({ ...request, headers: { authorization } });
  const guarded = breaker(send, {
    ...breakerLimits,
    // The client has its own time limit; the breaker's is only a safeguard.
    timeoutMs: 2 * timeoutMs,
    resetMs: breakerResetMs,
    isExpected: (error) => isHttpRefusal(error) || isRateLimited(error),
    ...(measurement === undefined ? {} : { onChange: measurement.onBreakerChange }),
  });
  return {
    call: async <Schema extends z.ZodType>(request: Request<Schema>, turn: Turn): Promise<z.output<Schema>> => {
      const { operation, method, path, key = '', marketplaceId, signal } = request;
      await budget.take({ ...turn, key: `${method} ${path} ${key}`, marketplaceId, signal });
      try {
        const sent = (): Promise<unknown> => guarded(request);
        return (await (measurement?.call(operation, sent) ?? sent())) as z.output<Schema>;
      } catch (error) {
        if (isRateLimited(error)) await budget.empty();
        throw error;
      }
    },
    close: () => {
      guarded.close();
      return client.close();
    },
  };
}

/** Reads have no side effect, so they are retried, but not after a time-out: a request waits for them. */
const readRetryLimits = {
  attemptsMax: 3,
  shouldRetry: (error: unknown): boolean =>
    !isHttpRefusal(error) && !isAppError(error, 'PROVIDER_TIMEOUT') && !(error instanceof IntentPaused),
};

function rethrow(error: unknown): never {
  throw toProviderError(error);
}

const perPage = 1_000;
const pagesMax = 10_000;

type Page = z.output<typeof responses.pageResponse>;

/** Pages from the first payment to the last one. */
async function allPages(readPage: (query: string) => Promise<Page>): Promise<readonly Page[]> {
  const found: Page[] = [];
  let after: string | undefined;
  for (let page = 0; page < pagesMax; page += 1) {
    const query = new URLSearchParams({ perPage: String(perPage), ...(after === undefined ? {} : { after }) });
    const read = await readPage(query.toString());
    const { items, endCursor } = read;
    found.push(read);
    if (items.length === 0 || endCursor === undefined || endCursor === null) return found;
    if (endCursor === after) break;
    after = endCursor;
  }
  throw new AppError('SERVICE_UNAVAILABLE', {}, { cause: new Error('the statement of the payment provider does not end') });
}
