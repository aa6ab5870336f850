import type { Clock, Log } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import { startHttpServer } from '@holdfast/http/server';
import type { Metrics } from '@holdfast/observability';
import type { Lifecycle } from '@holdfast/service-host/lifecycle';
import { internalHost, metricsAddress, type MetricsAddress } from './service-addresses.js';

type Options = { readonly metrics: Metrics; readonly clock: Clock; readonly log: Log; readonly lifecycle: Lifecycle };

/** Serves the metrics of the gateway and of the process on a port of their own: the public port must not show them. */
export async function startGatewayMetrics({ lifecycle, ...options }: Options): Promise<MetricsAddress> {
  const listener = await startHttpServer({
    ...options,
    host: internalHost,
    port: 0,
    routes: [],
    readiness: {},
    authenticateCaller,
  });
  lifecycle.onStop('gateway metrics', listener.stop);
  return metricsAddress('gateway', listener.url);
}

function authenticateCaller(): never {
  throw new AppError('UNAUTHORIZED');
}
