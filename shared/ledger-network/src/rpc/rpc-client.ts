import { z } from 'zod';
import { breaker } from '@holdfast/http/breaker';
import { createHttpClient } from '@holdfast/http/client';
import type { ProviderMeasurement } from '@holdfast/http/provider-calls';
import { onceDone } from '@holdfast/kernel/async';
import { AppError } from '@holdfast/kernel/errors';
import type { RpcOperation } from './ledger-rpc-port.js';

/** A node belongs to another network than the configured one. */
export class WrongNetwork extends AppError {
  constructor(node: 'RPC' | 'Horizon', found: string) {
    super(
      'SERVICE_UNAVAILABLE',
      { dependency: 'ledgerNetwork' },
      { message: `The ${node} belongs to another network: ${found}` },
    );
    this.name = 'WrongNetwork';
  }
}

/** The node has refused the request. */
class RpcRefused extends Error {
  constructor({ code, message }: z.output<typeof rpcError>) {
    super(`${message} (${code})`);
    this.name = 'RpcRefused';
  }
}

/** A call of a method of the node. `result` decodes what is read of the result, and nothing else. */
export type RpcRequest<Schema extends z.ZodType = z.ZodType> = {
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result: Schema;
  /** By default `read`. */
  readonly operation?: RpcOperation;
};

/** The client of a node, with a time limit and a circuit breaker. Every failure is SERVICE_UNAVAILABLE or PROVIDER_TIMEOUT. */
export type RpcClient = {
  readonly call: <Schema extends z.ZodType>(request: RpcRequest<Schema>) => Promise<z.output<Schema>>;
  readonly close: () => Promise<void>;
};

export type RpcOptions = {
  readonly url: string;
  readonly networkPassphrase: string;
  readonly measurement?: Pick<ProviderMeasurement, 'call' | 'onBreakerChange'>;
};

const timeoutMs = 10_000;
/** The breaker's timeout is longer, because the HTTP client has the same timeout and aborts the request. */
const breakerLimits = { timeoutMs: timeoutMs + 500, failuresPercent: 50, callsMin: 20, resetMs: 5_000 };
/** 200 entries of 64 KiB, the limit of the network, in base64. */
const responseBytesMax = 20 * 1024 * 1024;
const errors = { unavailable: 'SERVICE_UNAVAILABLE', timedOut: 'PROVIDER_TIMEOUT' } as const;

const rpcError = z.object({ code: z.number(), message: z.string() });
/** Errors of JSON-RPC have the HTTP status 200. */
const responseSchema = z.object({ result: z.unknown().optional(), error: rpcError.optional() });

/** The first call checks that the node belongs to the configured network. See ADR 0127. */
export function openRpc({ url, networkPassphrase, measurement }: RpcOptions): RpcClient {
  const { origin, pathname, search } = new URL(url);
  const path = pathname + search;
  const http = createHttpClient({ baseUrl: origin, timeoutMs, responseBytesMax, errors, peer: 'ledger-rpc' });
  const send = async ({ method, params, result, operation = 'read' }: RpcRequest): Promise<unknown> => {
    const body = { jsonrpc: '2.0', id: 1, method, params };
    const response = await http.request({ method: 'POST', path, operation, body, responseSchema });
    if (response.error !== undefined) throw new RpcRefused(response.error);
    return result.parse(response.result);
  };
  // One breaker guards all calls, so it cannot know their result types.
  const guarded = breaker(send, {
    ...breakerLimits,
    ...(measurement === undefined ? {} : { onChange: measurement.onBreakerChange }),
  });
  const call: RpcClient['call'] = async <Schema extends z.ZodType>(request: RpcRequest<Schema>) => {
    const { operation = 'read' } = request;
    const sent = (): Promise<unknown> => guarded(request);
    try {
      // eslint-disable-next-line holdfast/no-type-assertion -- the result was parsed by the schema of the request
      return (await (measurement?.call(operation, sent) ?? sent())) as z.output<Schema>;
    } catch (error) {
      throw toAppError(error);
    }
  };
  const networkChecked = onceDone(() => checkNetwork(call, networkPassphrase));
  return {
    call: async (request) => {
      await networkChecked();
      return call(request);
    },
    close: () => {
      guarded.close();
      return http.close();
    },
  };
}

const network = { method: 'getNetwork', result: z.object({ passphrase: z.string() }) };

async function checkNetwork(call: RpcClient['call'], networkPassphrase: string): Promise<void> {
  const { passphrase } = await call(network);
  if (passphrase !== networkPassphrase) throw new WrongNetwork('RPC', passphrase);
}

function toAppError(error: unknown): AppError {
  const { code, details } = error instanceof AppError ? error : { code: errors.unavailable, details: {} };
  return new AppError(code, { ...details, dependency: 'ledgerNetwork' }, { cause: error });
}
