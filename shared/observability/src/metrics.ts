import { readFileSync } from 'node:fs';
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import { settlesWithin } from '@holdfast/kernel/async';
import {
  defineGauge,
  labelCombinations,
  type CounterDeclaration,
  type GaugeDeclaration,
  type HistogramDeclaration,
  type MetricDeclaration,
} from './declare-metric.js';

/** The metrics of one service. A second call with the same declaration returns the same metric. */
export type Metrics = {
  readonly registry: Registry;
  /** Creates the metrics with a sample of zero for every combination of listed label values: a missing sample hides a failure. */
  readonly register: (declarations: readonly MetricDeclaration[]) => void;
  readonly counter: (declaration: CounterDeclaration) => Counter;
  readonly gauge: (declaration: GaugeDeclaration) => Gauge;
  readonly histogram: (declaration: HistogramDeclaration) => Histogram;
  /** Measures when the metrics are read. For values that are at hand. */
  readonly onRead: (measure: () => void) => void;
  /** Measures before the metrics are served. For values that cost a statement: without a reader they cost none. */
  readonly beforeServed: (measure: () => Promise<void>) => void;
  /** Call before the metrics are served. After a time limit they are served with the values of the last measurement. */
  readonly measure: () => Promise<void>;
};

type MetricsOptions = {
  readonly service: string;
  /** Metrics of the process (memory, event loop, garbage collection). Only one service of a process should have them. */
  readonly processMetrics?: boolean;
};

export const buildInfo = defineGauge('holdfast_build_info', 'Version of the platform and of Node; the value is always 1', {
  version: 'one version per process',
  node: 'one version per process',
});

/** Also the lag that an idle process shows. The default of 10 ms would wake every process a hundred times a second. */
const eventLoopSampleMs = 50;

/** Far below the time limit of a scrape. */
const measureTimeoutMs = 2_000;

/** Gauges of prom-client whose names end like the names of counters. The same numbers are there by type, without that ending. */
const misnamed = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];

export function createMetrics({ service, processMetrics = true }: MetricsOptions): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  if (processMetrics) {
    collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: eventLoopSampleMs });
    for (const name of misnamed) registry.removeSingleMetric(name);
  }
  const measurements: (() => void)[] = [];
  const awaited: (() => Promise<void>)[] = [];
  const made = createKinds(registry, () => measurements.forEach((measure) => measure()));
  made.gauge(buildInfo).set({ version: platformVersion(), node: process.versions.node }, 1);
  return {
    ...made,
    registry,
    register: (declarations) => declarations.forEach((declaration) => addZeroSamples(made, declaration)),
    onRead: (measure) => void measurements.push(measure),
    beforeServed: (measure) => void awaited.push(measure),
    measure: async () => {
      await settlesWithin(Promise.all(awaited.map((measure) => measure())), measureTimeoutMs);
    },
  };
}

type Kinds = Pick<Metrics, 'counter' | 'gauge' | 'histogram'>;

/** `collect` belongs to the build info, which every registry has, so that each read of the registry measures once. */
function createKinds(registry: Registry, collect: () => void): Kinds {
  const registers = [registry];
  const counters = new Map<string, Counter>();
  const gauges = new Map<string, Gauge>();
  const histograms = new Map<string, Histogram>();
  return {
    counter: ({ name, help, labels }) =>
      findOrCreate(counters, name, () => new Counter({ name, help, labelNames: Object.keys(labels), registers })),
    gauge: ({ name, help, labels }) =>
      findOrCreate(gauges, name, () => {
        const given = { name, help, labelNames: Object.keys(labels), registers };
        return new Gauge(name === buildInfo.name ? { ...given, collect } : given);
      }),
    histogram: ({ name, help, labels, buckets }) =>
      findOrCreate(
        histograms,
        name,
        () => new Histogram({ name, help, labelNames: Object.keys(labels), buckets: [...buckets], registers }),
      ),
  };
}

function findOrCreate<Metric>(metrics: Map<string, Metric>, name: string, create: () => Metric): Metric {
  const metric = metrics.get(name) ?? create();
  metrics.set(name, metric);
  return metric;
}

function addZeroSamples(kinds: Kinds, declaration: MetricDeclaration): void {
  const combinations = labelCombinations(declaration.labels);
  switch (declaration.type) {
    case 'counter': {
      const counter = kinds.counter(declaration);
      for (const labels of combinations) counter.inc(labels, 0);
      break;
    }
    case 'gauge': {
      const gauge = kinds.gauge(declaration);
      for (const labels of combinations) gauge.inc(labels, 0);
      break;
    }
    case 'histogram': {
      const histogram = kinds.histogram(declaration);
      for (const labels of combinations) histogram.zero(labels);
      break;
    }
  }
}

/** All packages of the platform have the same version. */
export function platformVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  const isManifest = typeof manifest === 'object' && manifest !== null && 'version' in manifest;
  return isManifest && typeof manifest.version === 'string' ? manifest.version : 'unknown';
}
