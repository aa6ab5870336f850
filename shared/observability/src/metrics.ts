import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

type Labels = readonly string[];

/** The metrics of one service. A second call with the same name returns the same metric. */
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
  /** Metrics of the process (memory, event loop, garbage collection). Only one service of a process should have them. */
  readonly processMetrics?: boolean;
};

/** Also the lag that an idle process shows. The default of 10 ms would wake every process a hundred times a second. */
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
      findOrCreate(counters, name, () => new Counter({ name, help, labelNames: [...labels], registers })),
    gauge: (name, help, labels = []) =>
      findOrCreate(gauges, name, () => new Gauge({ name, help, labelNames: [...labels], registers })),
    histogram: (name, help, { labels = [], buckets }) =>
      findOrCreate(
        histograms,
        name,
        () => new Histogram({ name, help, labelNames: [...labels], buckets: [...buckets], registers }),
      ),
  };
}

function findOrCreate<Metric>(metrics: Map<string, Metric>, name: string, create: () => Metric): Metric {
  const metric = metrics.get(name) ?? create();
  metrics.set(name, metric);
  return metric;
}
