import { performance } from 'node:perf_hooks';
import type { Log } from '@holdfast/kernel/context';
import { isAppError } from '@holdfast/kernel/errors';
import type { GatewayMeasurement } from './metrics.js';
import { ServiceUnreachable } from './service-unreachable.js';

/** Sends a request. `onResponse` is called when the response begins. */
type Send<Result> = (onResponse: () => void) => Promise<Result>;

export type UpstreamBreaker = { readonly run: <Result>(send: Send<Result>) => Promise<Result> };

type Options = {
  readonly upstream: string;
  readonly log: Pick<Log, 'info' | 'warn'>;
  readonly measurement: Pick<GatewayMeasurement, 'upstreamResponded' | 'upstreamFailed' | 'breakerChanged'>;
  readonly now?: () => number;
};

const failuresMax = 10;
const openForMs = 500;

/**
 * Refuses requests at once with 503 and Retry-After after several that found the service unreachable in a row; every half second one
 * request tries again. The log has one line when an outage begins and one when it ends. The breaker of opossum does not serve here: it judges a call by its end, and an event stream ends after hours.
 * This one judges by the begin of the response, and by nothing but failed connections.
 */
export function createUpstreamBreaker({ upstream, log, measurement, now = () => performance.now() }: Options): UpstreamBreaker {
  let failuresInARow = 0;
  let triesAgainAt = 0;
  const isOpen = (): boolean => failuresInARow >= failuresMax;
  const succeed = (): void => {
    if (isOpen()) measurement.breakerChanged(upstream, false);
    if (failuresInARow > 0) log.info({ service: upstream, requestsFailed: failuresInARow }, 'service is reachable again');
    failuresInARow = 0;
  };
  const fail = (error: ServiceUnreachable): void => {
    if (failuresInARow === 0) log.warn({ service: upstream, reason: reasonOf(error) }, 'service is not reachable');
    failuresInARow += 1;
    triesAgainAt = now() + openForMs;
    if (failuresInARow === failuresMax) measurement.breakerChanged(upstream, true);
  };
  return {
    run: async (send) => {
      if (isOpen() && now() < triesAgainAt) {
        measurement.upstreamFailed(upstream, 'breaker');
        throw new ServiceUnreachable();
      }
      // While one request tries, the others are refused.
      triesAgainAt = now() + openForMs;
      const startedAt = now();
      const onResponse = (): void => {
        measurement.upstreamResponded(upstream, (now() - startedAt) / 1_000);
        succeed();
      };
      try {
        return await send(onResponse);
      } catch (error) {
        if (error instanceof ServiceUnreachable) {
          fail(error);
          measurement.upstreamFailed(upstream, 'unreachable');
        } else if (isAppError(error, 'PROVIDER_TIMEOUT')) {
          measurement.upstreamFailed(upstream, 'timeout');
        }
        throw error;
      }
    },
  };
}

/** One line: the code of the connection error, else its message. */
function reasonOf({ cause }: ServiceUnreachable): string {
  if (!(cause instanceof Error)) return String(cause);
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message;
}
