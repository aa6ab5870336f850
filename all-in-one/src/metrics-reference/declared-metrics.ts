import { metrics as gatewayMetrics } from '@holdfast/gateway';
import type { MetricDeclaration } from '@holdfast/observability';
import { processMetrics, serviceMetrics } from '@holdfast/service-kit';
import { services } from '../services.js';

/** The metrics of the gateway and of each service, by its name. */
export const declaredMetrics: ReadonlyMap<string, readonly MetricDeclaration[]> = new Map([
  ['gateway', [...processMetrics, ...gatewayMetrics]],
  ...services.map(({ name, metrics = [] }) => [name, [...serviceMetrics(name), ...metrics]] as const),
]);
