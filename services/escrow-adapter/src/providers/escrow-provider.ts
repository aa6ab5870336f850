import type { z } from 'zod';
import { retry } from '@holdfast/kernel/async';
import { breaker } from '@holdfast/http/breaker';
import { AppError } from '@holdfast/kernel/errors';
import { createHttpClient, HttpStatusError, isHttpRefusal } from '@holdfast/http/client';
import type { ProviderBudget } from '@holdfast/intents';
import { ProviderRefused, type CallOptions, type EscrowProvider, type ProviderSubmission } from '../use-cases/ports.js';
import { builtResponse, contractsResponse, messageOf, submittedResponse, toContract } from './escrow-responses.js';
import { deploymentRequest, stepRequest, type AssetAddresses, type ProviderRequest } from './escrow-requests.js';

export type EscrowProviderOptions = {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly assets: AssetAddresses;
  readonly budget: Pick<ProviderBudget, 'take'>;
  readonly onBreakerChange?: (state: string) => void;
};

const timeoutMs = 10_000;
const breakerLimits = { timeoutMs: 2 * timeoutMs, failuresPercent: 50, callsMin: 20, resetMs: 5_000 } as const;

/** The HTTP client of the escrow provider. Only reads are retried here; the caller decides about builds and submissions. */
export function createEscrowProvider(options: EscrowProviderOptions): EscrowProvider & { readonly close: () => Promise<void> } {
  const { baseUrl, apiKey, assets, budget, onBreakerChange } = options;
  const errors = { unavailable: 'SERVICE_UNAVAILABLE', timedOut: 'PROVIDER_TIMEOUT' } as const;
  const client = createHttpClient({ baseUrl, timeoutMs, errors });
  const guarded = breaker((request: Request) => send(client, apiKey, request), {
    ...breakerLimits,
    isExpected: (error) => isHttpRefusal(error),
    ...(onBreakerChange === undefined ? {} : { onChange: onBreakerChange }),
  });
  const call = async <Schema extends z.ZodType>(request: Request<Schema>, { priority, signal }: CallOptions) => {
    await budget.take(priority, signal);
    return (await guarded(signal === undefined ? request : { ...request, signal })) as z.output<Schema>;
  };
  const build = async (request: ProviderRequest, callOptions: CallOptions): Promise<string> => {
    const httpRequest = { method: 'POST', path: request.path, body: request.body, responseSchema: builtResponse } as const;
    return (await call(httpRequest, callOptions).catch(rethrowRefusal)).unsignedTransaction;
  };
  const find = async (path: string, query: URLSearchParams, callOptions: CallOptions) => {
    const httpRequest = { method: 'GET', path: `${path}?${query.toString()}`, responseSchema: contractsResponse } as const;
    return (await retry(() => call(httpRequest, callOptions).catch(rethrowRefusal), readRetries)).map(toContract);
  };
  return {
    buildDeployment: (contract, addresses, callOptions) => build(deploymentRequest(contract, addresses, assets), callOptions),
    buildStep: (contract, step, callOptions) => build(stepRequest(contract, step), callOptions),
    submit: async (signedXdr, callOptions) => {
      const httpRequest = {
        method: 'POST',
        path: '/helper/send-transaction',
        body: { signedXdr },
        responseSchema: submittedResponse,
      } as const;
      return call(httpRequest, callOptions).then(
        ({ contractId }): ProviderSubmission => ({ status: 'landed', contractId }),
        unknownSubmission,
      );
    },
    read: (contractIds, callOptions) => {
      const query = new URLSearchParams({ validateOnChain: 'true' });
      for (const contractId of contractIds) query.append('contractIds[]', contractId);
      return find('/helper/get-escrow-by-contract-ids', query, callOptions);
    },
    findDeployed: ({ signer, engagementId }, callOptions) =>
      find('/helper/get-escrows-by-signer', new URLSearchParams({ signer, engagementId }), callOptions),
    close: () => {
      guarded.close();
      return client.close();
    },
  };
}

type Request<Schema extends z.ZodType = z.ZodType> = {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: unknown;
  readonly responseSchema: Schema;
  readonly signal?: AbortSignal;
};

function send(client: ReturnType<typeof createHttpClient>, apiKey: string, request: Request): Promise<unknown> {
  return client.request({ ...request, headers: { 'x-api-key': apiKey } });
}

/** Reads have no side effect, so they are retried. The delay is short, because a request waits for the saga. */
const readRetries = {
  attemptsMax: 3,
  firstDelayMs: 150,
  shouldRetry: (error: unknown): boolean => !(error instanceof ProviderRefused),
};

/** Final refusals become ProviderRefused, transient ones SERVICE_UNAVAILABLE. */
function rethrowRefusal(error: unknown): never {
  if (!(error instanceof HttpStatusError)) throw error;
  if (isHttpRefusal(error)) throw new ProviderRefused(messageOf(error.body) ?? error.message, { cause: error });
  throw new AppError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1 }, { cause: error });
}

/** Every failed submission is unknown, because the transaction may have reached the network. */
function unknownSubmission(error: unknown): ProviderSubmission {
  const message = error instanceof HttpStatusError ? messageOf(error.body) : undefined;
  return { status: 'unknown', reason: message ?? (error instanceof Error ? error.message : 'no response') };
}
