import { createServer } from 'node:http';
import { callerSigner } from '@holdfast/shared/caller';
import type { Clock, Log } from '@holdfast/shared/context';
import { allRoutes, type RouteDeclaration } from '@holdfast/shared/contracts/http';
import { connectionLimits, createRouteTable, startListener, type Answer, type Listener } from '@holdfast/shared/http-server';
import type { Metrics } from '@holdfast/shared/observability';
import { createAuthenticate } from './authenticate.js';
import type { ServiceUrls } from './config.js';
import { createPipeline, type GatewayTarget } from './pipeline.js';
import { createProxy } from './proxy.js';

export type GatewayOptions = {
  readonly host: string;
  /** 0 takes any free one. */
  readonly port: number;
  readonly serviceUrls: ServiceUrls;
  readonly masterKey: string;
  readonly internalSecret: string;
  readonly proxyTimeoutMs: number;
  readonly version: string;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly clock: Clock;
  /** Every declared route, unless a test has its own. */
  readonly routes?: readonly RouteDeclaration[];
};

/** Opens the one door to the outside. Stopping it closes the door first and lets running requests finish. */
export async function startGateway(options: GatewayOptions): Promise<Listener> {
  let isStopping = false;
  const proxy = createProxy({ serviceUrls: options.serviceUrls, timeoutMs: options.proxyTimeoutMs });
  const pipeline = createPipeline({
    table: createRouteTable([...serviceTargets(options.routes ?? allRoutes), healthTarget(options)]),
    authenticate: createAuthenticate(options),
    signer: callerSigner({ secret: options.internalSecret, clock: options.clock }),
    proxy,
    log: options.log,
    metrics: options.metrics,
    isStopping: () => isStopping,
  });
  const server = createServer(connectionLimits, (request, response) => {
    pipeline(request, response).catch((error: unknown) => {
      options.log.error({ error }, 'a request was lost');
      response.destroy();
    });
  });
  const listener = await startListener(server, options);
  return {
    ...listener,
    stop: async () => {
      isStopping = true;
      await listener.stop();
      await proxy.close();
    },
  };
}

type Entry = { readonly method: RouteDeclaration['method']; readonly path: string; readonly target: GatewayTarget };

function serviceTargets(routes: readonly RouteDeclaration[]): readonly Entry[] {
  return routes.map((route) => ({ method: route.method, path: route.path, target: { kind: 'service', route } }));
}

/** Always cheap: it asks nobody. The gateway listens only once everything behind it is ready. */
function healthTarget({ version, clock }: GatewayOptions): Entry {
  const answer = (requestId: string): Answer => {
    const timestamp = clock.now();
    return { status: 200, text: JSON.stringify({ data: { status: 'ok', version, timestamp }, meta: { requestId, timestamp } }) };
  };
  return { method: 'get', path: '/health', target: { kind: 'own', path: '/health', answer } };
}
