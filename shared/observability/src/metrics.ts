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

/** A process at rest shows this much as its lag. The usual 10 ms would wake every process a hundred times a second. */
const eventLoopSampleMs = 50;

export function createMetrics({ service, processMetrics = true }: MetricsOptions): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  if (processMetrics) collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: eventLoopSampleMs });
  const registers = [registry];
  const counters = new Map<string, Counter>();
  const gauges = new Map<string, Gauge>();
  const histograms = new Map<string, Histogram>();
  return {
    registry,
    counter: (name, help, labels = []) =>
      once(counters, name, () => new Counter({ name, help, labelNames: [...labels], registers })),
    gauge: (name, help, labels = []) => once(gauges, name, () => new Gauge({ name, help, labelNames: [...labels], registers })),
    histogram: (name, help, { labels = [], buckets }) =>
      once(histograms, name, () => new Histogram({ name, help, labelNames: [...labels], buckets: [...buckets], registers })),
  };
}

function once<Metric>(made: Map<string, Metric>, name: string, make: () => Metric): Metric {
  const metric = made.get(name) ?? make();
  made.set(name, metric);
  return metric;
}
