import { callerSigner } from '@holdfast/http/caller';
import type { Clock } from '@holdfast/kernel/context';
import type { ServiceName } from '@holdfast/contracts/services';
import { startHttpServer, type BoundRoute, type Listener } from '@holdfast/http/server';
import { createMetrics } from '@holdfast/observability';
import { silentLog } from '../log/index.js';

export type StubService = {
  readonly service: ServiceName;
  readonly secret: string;
  readonly clock: Clock;
  readonly routes: readonly BoundRoute[];
};

/** Serves declared routes in place of a service that the test does not run. */
export function startStubService({ service, secret, clock, routes }: StubService): Promise<Listener> {
  const signer = callerSigner({ secret, clock });
  return startHttpServer({
    host: '127.0.0.1',
    port: 0,
    routes,
    log: silentLog,
    metrics: createMetrics({ service, processMetrics: false }),
    clock,
    authenticateCaller: (header) => signer.verify(header, service),
  });
}
