import { performance } from 'node:perf_hooks';
import { isAppError } from '@holdfast/kernel/errors';
import type { GatewayMeasurement } from './metrics.js';
import { ServiceUnreachable } from './service-unreachable.js';

/** Sends a request. `onResponse` is called when the response begins. */
type Send<Result> = (onResponse: () => void) => Promise<Result>;

export type UpstreamBreaker = { readonly run: <Result>(send: Send<Result>) => Promise<Result> };

type Options = {
  readonly upstream: string;
  readonly measurement: Pick<GatewayMeasurement, 'upstreamResponded' | 'upstreamFailed' | 'breakerChanged'>;
  readonly now?: () => number;
};

const failuresMax = 10;
const openForMs = 500;

/**
 * Refuses requests at once with 503 and Retry-After after several that found the service unreachable in a row; every half second one
 * request tries again. The breaker of opossum does not serve here: it judges a call by its end, and an event stream ends after hours.
 * This one judges by the begin of the response, and by nothing but failed connections.
 */
export function createUpstreamBreaker({ upstream, measurement, now = () => performance.now() }: Options): UpstreamBreaker {
  let failuresInARow = 0;
  let triesAgainAt = 0;
  const isOpen = (): boolean => failuresInARow >= failuresMax;
  const succeed = (): void => {
    if (isOpen()) measurement.breakerChanged(upstream, false);
    failuresInARow = 0;
  };
  const fail = (): void => {
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
          fail();
          measurement.upstreamFailed(upstream, 'unreachable');
        } else if (isAppError(error, 'PROVIDER_TIMEOUT')) {
          measurement.upstreamFailed(upstream, 'timeout');
        }
        throw error;
      }
    },
  };
}
