import { z } from 'zod';
import { breaker } from '@holdfast/http/breaker';
import { AppError } from '@holdfast/kernel/errors';
import { createHttpClient, HttpStatusError, isHttpRefusal, isRateLimited } from '@holdfast/http/client';
import type { ProviderMeasurement } from '@holdfast/http/provider-calls';
import { IntentPaused } from '@holdfast/intents';
import { type BudgetCall, type ProviderBudget } from '@holdfast/intents/provider-controls';
import { retry } from '@holdfast/kernel/async';
import { callsOfOrder } from '../domain/provider-calls.js';
import { nameOf } from '../domain/steps.js';
import type { BuildOptions, EscrowProvider } from '../use-cases/ports.js';
import { builtResponse, messageOf } from './escrow-responses.js';
import { deploymentRequest, stepRequest, type AssetAddresses, type ProviderRequest } from './escrow-requests.js';
import { ProviderRefused } from '@holdfast/ledger-network/values';

export type EscrowProviderOptions = {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly assets: AssetAddresses;
  readonly budget: Pick<ProviderBudget, 'take' | 'empty'>;
  /** Calls in ten seconds from which on failed ones can open the circuit breaker. */
  readonly breakerCallsMin?: number;
  readonly measurement?: Pick<ProviderMeasurement, 'call' | 'onBreakerChange'>;
  /** The provider did not take note of a deployment. */
  readonly onIndexerFailure?: () => void;
  /** Only tests pause for less. */
  readonly pauses?: Partial<EscrowProviderPauses>;
};

export type EscrowProviderPauses = {
  /** The next call waits for the budget, which is empty by then. */
  readonly rateLimitedMs: number;
  /** Until the provider knows a contract that the network has. */
  readonly unknownContractMs: number;
  /** Before the provider is informed of a deployment once more. */
  readonly indexerRetryMs: number;
};

const defaultPauses: EscrowProviderPauses = { rateLimitedMs: 1_000, unknownContractMs: 5_000, indexerRetryMs: 1_000 };

const timeoutMs = 10_000;
const breakerCallsMinDefault = 20;
const breakerLimits = { timeoutMs: 2 * timeoutMs, failuresPercent: 50, resetMs: 5_000 } as const;

/** The HTTP client of the escrow provider. Builds are not retried here; the caller decides about them. */
export function createEscrowProvider(options: EscrowProviderOptions): EscrowProvider & { readonly close: () => Promise<void> } {
  const pauses = { ...defaultPauses, ...options.pauses };
  const indexerRetries = { attemptsMax: 2, firstDelayMs: pauses.indexerRetryMs };
  const { call, close } = createCaller(options, pauses);
  const rethrow = rethrowBuildError(pauses);
  const build = async (operation: string, request: ProviderRequest, budgetCall: BudgetCall): Promise<string> => {
    const { path, body } = request;
    const httpRequest = { operation, method: 'POST', path, body, responseSchema: builtResponse } as const;
    return (await call(httpRequest, budgetCall).catch(rethrow)).unsignedTransaction;
  };
  return {
    buildDeployment: (contract, addresses, of) =>
      build('deploy', deploymentRequest(contract, addresses, options.assets), {
        ...budgetCallOf('deploy', of),
        callsOfOrder: callsOfOrder(contract),
      }),
    buildStep: (contract, step, of) => build(step.does, stepRequest(contract, step), budgetCallOf(nameOf(step), of)),
    informOfDeployment: async (txHash, of) => {
      const httpRequest = {
        operation: 'inform',
        method: 'PUT',
        path: '/indexer/update-from-txhash',
        body: { txHash },
        responseSchema: z.unknown(),
      } as const;
      const inform = (): Promise<unknown> => call(httpRequest, budgetCallOf(`inform ${txHash}`, of));
      await retry(inform, indexerRetries).catch(() => options.onIndexerFailure?.());
    },
    close,
  };
}

/** The calls of an order, from its deployment to its settlement, are admitted together. Its escrow stands for the order. */
function budgetCallOf(name: string, { escrowId, marketplaceId, priority, signal }: BuildOptions): BudgetCall {
  return { key: `${escrowId} ${name}`, orderId: escrowId, marketplaceId, priority, signal };
}

type Request<Schema extends z.ZodType = z.ZodType> = {
  readonly operation: string;
  readonly method: 'POST' | 'PUT';
  readonly path: string;
  readonly body?: unknown;
  readonly responseSchema: Schema;
  readonly signal?: AbortSignal;
};

/** Every call waits for the budget, then passes the circuit breaker. Refusals do not open the breaker. */
function createCaller(
  { baseUrl, apiKey, budget, measurement, breakerCallsMin }: EscrowProviderOptions,
  { rateLimitedMs }: EscrowProviderPauses,
) {
  const errors = { unavailable: 'SERVICE_UNAVAILABLE', timedOut: 'PROVIDER_TIMEOUT' } as const;
  const client = createHttpClient({ baseUrl, timeoutMs, errors, peer: 'escrow-provider' });
  const send = (request: Request): Promise<unknown> => client.request({ ...request, headers: { 'x-api-key': apiKey } });
  const guarded = breaker(send, {
    ...breakerLimits,
    callsMin: breakerCallsMin ?? breakerCallsMinDefault,
    isExpected: (error) => isHttpRefusal(error) || isRateLimited(error) || isContractUnknown(error),
    ...(measurement === undefined ? {} : { onChange: measurement.onBreakerChange }),
  });
  return {
    call: async <Schema extends z.ZodType>(request: Request<Schema>, budgetCall: BudgetCall): Promise<z.output<Schema>> => {
      const { signal } = budgetCall;
      await budget.take(budgetCall);
      try {
        const sent = (): Promise<unknown> => guarded(signal === undefined ? request : { ...request, signal });
        return (await (measurement?.call(request.operation, sent) ?? sent())) as z.output<Schema>;
      } catch (error) {
        if (!isRateLimited(error)) throw error;
        await budget.empty();
        throw new IntentPaused('the escrow provider refuses further calls for a while', rateLimitedMs, { cause: error });
      }
    },
    close: () => {
      guarded.close();
      return client.close();
    },
  };
}

const unknownContract = /escrow not found/i;

/** The provider reads from a copy of the network that may be behind. A contract is built upon only after the network has it. */
function isContractUnknown(error: unknown): boolean {
  return error instanceof HttpStatusError && unknownContract.test(messageOf(error.body) ?? '');
}

/** Final refusals become ProviderRefused, transient ones SERVICE_UNAVAILABLE. */
function rethrowBuildError({ unknownContractMs }: EscrowProviderPauses): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof HttpStatusError)) throw error;
    if (isContractUnknown(error))
      throw new IntentPaused('the escrow provider does not know the contract yet', unknownContractMs, { cause: error });
    if (isHttpRefusal(error)) throw new ProviderRefused(messageOf(error.body) ?? error.message, { cause: error });
    throw new AppError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1 }, { cause: error });
  };
}
