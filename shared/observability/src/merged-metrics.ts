import { AggregatorRegistry, type Registry } from 'prom-client';

export type MetricsPage = { readonly text: string; readonly contentType: string };

/**
 * One page with the metrics of several registries. Metrics of the same name share their HELP and TYPE lines, as the text format
 * requires; the label `service` keeps their samples apart.
 */
export async function mergedMetrics(registries: readonly Registry[]): Promise<MetricsPage> {
  const lists = await Promise.all(registries.map((registry) => registry.getMetricsAsJSON()));
  // Some process metrics would be left out of a sum over worker processes; here every sample has its own labels, and none is summed.
  const withoutOmissions = lists.map((list) => list.map((metric) => ({ ...metric, aggregator: 'sum' as const })));
  const merged = AggregatorRegistry.aggregate(withoutOmissions);
  return { text: await merged.metrics(), contentType: merged.contentType };
}
