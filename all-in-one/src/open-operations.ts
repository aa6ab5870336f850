import type { Readiness } from '@holdfast/http/server';
import { createMetrics, type Metrics } from '@holdfast/observability';
import { openOperationsPort, type OperationsPort } from '@holdfast/process/operations-port';
import { services } from './services.js';
import { internalHost } from './service-addresses.js';
import type { StartupContext } from './startup-context.js';

/** The metrics of the gateway and of each service, and one operations port that serves them together with the health of all. */
export type Operations = OperationsPort & { readonly metricsOf: (service: string) => Metrics };

const gateway = 'gateway';

/** The gateway's metrics include the metrics of the process, because every process has them once. */
export async function openOperations({ config, lifecycle, logFor }: StartupContext): Promise<Operations> {
  const metrics = new Map([[gateway, createMetrics({ service: gateway })]]);
  for (const { name } of services) metrics.set(name, createMetrics({ service: name, processMetrics: false }));
  const { metricsPort: port } = config;
  const log = logFor('operations');
  const operations = await openOperationsPort({ host: internalHost, port, metrics: [...metrics.values()], lifecycle, log });
  return {
    ...operations,
    metricsOf: (service) => {
      const found = metrics.get(service);
      if (found === undefined) throw new Error(`there is no service ${service}`);
      return found;
    },
  };
}

/** The checks of a service under names that say whose they are. */
export function checksOf(service: string, readiness: Readiness): Readiness {
  return Object.fromEntries(Object.entries(readiness).map(([name, check]) => [`${service} ${name}`, check]));
}
