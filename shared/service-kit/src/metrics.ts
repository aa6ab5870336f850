import type { ServiceName } from '@holdfast/contracts/services';
import { httpMetrics } from '@holdfast/http/server';
import { buildInfo, type MetricDeclaration } from '@holdfast/observability';
import { jobMetrics } from '@holdfast/work';
import { brokerConnected, messagingMetrics } from './messaging-metrics.js';
import { poolMetrics } from './pool-metrics.js';
import { sagaStepMetrics } from './saga-step-metrics.js';

/** The metrics of every process of the platform. */
export const processMetrics: readonly MetricDeclaration[] = [
  buildInfo,
  ...httpMetrics,
  ...jobMetrics,
  brokerConnected,
  ...poolMetrics,
];

/** The metrics that every service has, besides those in its own `metrics.ts`. */
export function serviceMetrics(service: ServiceName): readonly MetricDeclaration[] {
  return [...processMetrics, ...messagingMetrics(service), ...sagaStepMetrics(service)];
}
