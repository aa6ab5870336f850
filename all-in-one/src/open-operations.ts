import type { Readiness } from '@holdfast/http/server';
import { createMetrics, type Metrics } from '@holdfast/observability';
import { openOperationsPort, type OperationsPort } from '@holdfast/process/operations-port';
import { services } from './parts.js';
import { internalHost } from './service-addresses.js';
import type { StartupContext } from './startup-context.js';

/** The metrics of each part, and one operations port that serves them together with the health of all parts. */
export type Operations = OperationsPort & { readonly metricsOf: (part: string) => Metrics };

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
    metricsOf: (part) => {
      const found = metrics.get(part);
      if (found === undefined) throw new Error(`there is no part ${part}`);
      return found;
    },
  };
}

/** The checks of a service under names that tell whose they are. */
export function checksOf(part: string, readiness: Readiness): Readiness {
  return Object.fromEntries(Object.entries(readiness).map(([name, check]) => [`${part} ${name}`, check]));
}
