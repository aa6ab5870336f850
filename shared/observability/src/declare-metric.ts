/** The possible values of a label, or in words what bounds them where they cannot be listed before they occur. */
export type LabelValues = readonly string[] | string;

export type Labels = Readonly<Record<string, LabelValues>>;

type Declared = { readonly name: string; readonly help: string; readonly labels: Labels };
export type CounterDeclaration = Declared & { readonly type: 'counter' };
export type GaugeDeclaration = Declared & { readonly type: 'gauge' };
export type HistogramDeclaration = Declared & { readonly type: 'histogram'; readonly buckets: readonly number[] };
/** A metric as data: a process registers it with zero samples, and the documentation is generated from it. See ADR 0067. */
export type MetricDeclaration = CounterDeclaration | GaugeDeclaration | HistogramDeclaration;

/** The prefix in the name is written out, so that a search for the name in an alert finds its declaration. */
type MetricName = `holdfast_${string}`;

export function defineCounter(name: MetricName, help: string, labels: Labels = {}): CounterDeclaration {
  return { type: 'counter', name, help, labels };
}

export function defineGauge(name: MetricName, help: string, labels: Labels = {}): GaugeDeclaration {
  return { type: 'gauge', name, help, labels };
}

export function defineHistogram(
  name: MetricName,
  help: string,
  { labels = {}, buckets }: { readonly labels?: Labels; readonly buckets: readonly number[] },
): HistogramDeclaration {
  return { type: 'histogram', name, help, labels, buckets };
}

/** The same metric in one service, whose labels have these values only. */
export function withValues<Declaration extends MetricDeclaration>(
  declaration: Declaration,
  values: Readonly<Record<string, readonly string[]>>,
): Declaration {
  return { ...declaration, labels: { ...declaration.labels, ...values } };
}

/** Every combination of the listed values; none if a label lists none. */
export function labelCombinations(labels: Labels): readonly Readonly<Record<string, string>>[] {
  let combinations: readonly Readonly<Record<string, string>>[] = [{}];
  for (const [label, values] of Object.entries(labels)) {
    if (typeof values === 'string') return [];
    combinations = combinations.flatMap((known) => values.map((value) => ({ ...known, [label]: value })));
  }
  return combinations;
}
