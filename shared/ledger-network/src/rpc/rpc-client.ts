import { rpc } from '@stellar/stellar-sdk';
import { breaker } from '@holdfast/http/breaker';
import type { ProviderMeasurement } from '@holdfast/http/provider-calls';
import { onceDone } from '@holdfast/kernel/async';
import { AppError } from '@holdfast/kernel/errors';
import { inClientSpan } from '@holdfast/observability';
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

type RpcCall<Result> = (server: rpc.Server) => Promise<Result>;

/** The SDK's client with a timeout and a circuit breaker. Every failure is SERVICE_UNAVAILABLE or PROVIDER_TIMEOUT. */
export type RpcClient = {
  readonly call: <Result>(request: RpcCall<Result>, operation?: RpcOperation) => Promise<Result>;
  readonly close: () => void;
};

export type RpcOptions = {
  readonly url: string;
  readonly networkPassphrase: string;
  readonly measurement?: Pick<ProviderMeasurement, 'call' | 'onBreakerChange'>;
};

const callTimeoutMs = 10_000;
/** The breaker's timeout ends the call; this later one closes the connection. */
const connectionTimeoutMs = callTimeoutMs + 1_000;
const limits = { timeoutMs: callTimeoutMs, failuresPercent: 50, callsMin: 20, resetMs: 5_000 };

/** The first call checks that the node belongs to the configured network. */
export function openRpc({ url, networkPassphrase, measurement }: RpcOptions): RpcClient {
  const server = new rpc.Server(url, { allowHttp: url.startsWith('http://') });
  server.httpClient.defaults.timeout = connectionTimeoutMs;
  const guarded = breaker<[RpcCall<unknown>], unknown>((request) => request(server), {
    ...limits,
    ...(measurement === undefined ? {} : { onChange: measurement.onBreakerChange }),
  });
  const call: RpcClient['call'] = async <Result>(request: RpcCall<Result>, operation: RpcOperation = 'read') => {
    const send = (): Promise<unknown> => guarded(request);
    try {
      // eslint-disable-next-line holdfast/no-type-assertion -- the result is that of the call which was just passed in
      return (await inClientSpan(spanOf(operation), () => measurement?.call(operation, send) ?? send())) as Result;
    } catch (error) {
      throw toAppError(error);
    }
  };
  const networkChecked = onceDone(() => checkNetwork(call, networkPassphrase));
  return {
    call: async (request, operation) => {
      await networkChecked();
      return call(request, operation);
    },
    close: guarded.close,
  };
}

function spanOf(operation: string) {
  return { name: `${operation} ledger-rpc`, attributes: { 'peer.service': 'ledger-rpc' } };
}

async function checkNetwork(call: RpcClient['call'], networkPassphrase: string): Promise<void> {
  const { passphrase } = await call((server) => server.getNetwork());
  if (passphrase !== networkPassphrase) throw new WrongNetwork('RPC', passphrase);
}

/** The SDK throws JSON-RPC errors as plain objects, and HTTP errors as errors of its HTTP client. */
function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  return new AppError('SERVICE_UNAVAILABLE', { dependency: 'ledgerNetwork' }, { cause: error });
}
