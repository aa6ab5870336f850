import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

type Labels = readonly string[];

/** The numbers of one service. Asking twice for one name gives the same metric. Names are nouns with units. */
export type Metrics = {
  readonly registry: Registry;
  readonly counter: (name: string, help: string, labels?: Labels) => Counter;
  readonly gauge: (name: string, help: string, labels?: Labels) => Gauge;
  readonly histogram: (
    name: string,
    help: string,
    options: { readonly labels?: Labels; readonly buckets: readonly number[] },
  ) => Histogram;
};

type MetricsOptions = {
  readonly service: string;
  /** Process-wide numbers (memory, event loop, collections): once per process, not once per service in it. */
  readonly processMetrics?: boolean;
};

export function createMetrics({ service, processMetrics = true }: MetricsOptions): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  if (processMetrics) collectDefaultMetrics({ register: registry });
  const once = <M>(name: string, make: () => M): M => (registry.getSingleMetric(name) as M | undefined) ?? make();
  const registers = [registry];
  return {
    registry,
    counter: (name, help, labelNames = []) =>
      once(name, () => new Counter({ name, help, labelNames: [...labelNames], registers })),
    gauge: (name, help, labelNames = []) => once(name, () => new Gauge({ name, help, labelNames: [...labelNames], registers })),
    histogram: (name, help, { labels = [], buckets }) =>
      once(name, () => new Histogram({ name, help, labelNames: [...labels], buckets: [...buckets], registers })),
  };
}
